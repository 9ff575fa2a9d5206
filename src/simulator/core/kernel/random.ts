import { createHash, randomBytes } from "node:crypto";

/** Source of all random values; tests inject a repeatable one. */
export interface Random {
  bytes(count: number): Buffer;
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** Lower-case UUID of version 4. */
  uuid(): string;
  /** A unicast MAC address in upper case that starts with the cluster's prefix. */
  mac(prefix: string): string;
}

function drawingFrom(bytes: (count: number) => Buffer): Random {
  return {
    bytes,
    below: (limit) => bytes(6).readUIntBE(0, 6) % limit,
    uuid: () => {
      const raw = bytes(16);
      raw.writeUInt8((raw.readUInt8(6) & 0x0f) | 0x40, 6);
      raw.writeUInt8((raw.readUInt8(8) & 0x3f) | 0x80, 8);
      return raw.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
    mac: (prefix) => {
      const given = prefix.split(":");
      const drawn = [...bytes(6 - given.length)].map((byte) => byte.toString(16).padStart(2, "0"));
      return [...given, ...drawn].join(":").toUpperCase();
    },
  };
}

export function systemRandom(): Random {
  return drawingFrom(randomBytes);
}

/** The same sequence for the same seed. */
export function seededRandom(seed: string): Random {
  let round = 0;
  return drawingFrom((count) => {
    const blocks: Buffer[] = [];
    for (let length = 0; length < count; length += 32) {
      blocks.push(createHash("sha256").update(`${seed}/${round++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, count);
  });
}
