import { createHash } from "node:crypto";

/** Other names for names, the same one each time: `web-1` becomes `guest1` wherever it stands. */
export class Pseudonyms {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Of a kind: `guest`, `tag`. What is kept keeps its name. */
  of(kind: string, name: string): string {
    const key = `${kind} ${name}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.#names.set(key, `${kind}${count}`);
    return `${kind}${count}`;
  }

  keep(kind: string, name: string): void {
    this.#names.set(`${kind} ${name}`, name);
  }

  knows(kind: string, name: string): boolean {
    return this.#names.has(`${kind} ${name}`);
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text.toLowerCase()).digest();

/** Networks stay networks: addresses of one /24 (one /64) get addresses of another one, with the same last part. */
export function otherAddress(address: string): string {
  if (address.includes(":")) {
    const [network = "", ...host] = address.split("::");
    const bytes = digest(`6 ${network}`);
    const group = (index: number) => bytes.readUInt16BE(index).toString(16);
    return `fd00:${group(0)}:${group(2)}::${host.join("") || ""}`;
  }
  const [a = "", b = "", c = "", d = ""] = address.split(".");
  if (/^(?:0|127|169|224|255)$/.test(a)) return address;
  const bytes = digest(`4 ${a}.${b}.${c}`);
  return `10.${bytes[0]}.${bytes[1]}.${d}`;
}

/** The part of the manufacturer stays. */
export const otherMac = (mac: string): string => {
  const tail = [...digest(mac).subarray(0, 3)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase());
  return [...mac.split(":").slice(0, 3), ...tail].join(":");
};

export const otherUuid = (uuid: string): string => {
  const hex = digest(uuid).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
