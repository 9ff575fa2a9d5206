import { die } from "../core/kernel/failure.ts";

/** Fields of a public key after its type: a fixed number of bytes, or any number. */
const keyFields: Readonly<Record<string, readonly (number | "any")[]>> = {
  "ssh-ed25519": [32],
  "ssh-rsa": ["any", "any"],
  "ssh-dss": ["any", "any", "any", "any"],
  "ecdsa-sha2-nistp256": ["any", 65],
  "ecdsa-sha2-nistp384": ["any", 97],
  "ecdsa-sha2-nistp521": ["any", 133],
  "sk-ssh-ed25519@openssh.com": [32, "any"],
  "sk-ecdsa-sha2-nistp256@openssh.com": ["any", 65, "any"],
};

/** The length-prefixed strings of a key; undefined if the data is too short. */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let offset = 0;
  while (offset < blob.length) {
    const end = offset + 4 <= blob.length ? offset + 4 + blob.readUInt32BE(offset) : Number.POSITIVE_INFINITY;
    if (end > blob.length) {
      return undefined;
    }
    fields.push(blob.subarray(offset + 4, end));
    offset = end;
  }
  return fields;
}

function isPublicKey(line: string): boolean {
  const words = line.trim().split(/\s+/);
  const at = words.findIndex((word) => keyFields[word] !== undefined);
  const [type, data = ""] = at < 0 ? [] : words.slice(at);
  const expected = keyFields[type ?? ""];
  const [name, ...fields] = /^[A-Za-z0-9+/]+=*$/.test(data) ? (fieldsOf(Buffer.from(data, "base64")) ?? []) : [];
  return (
    expected !== undefined &&
    name?.toString() === type &&
    fields.length === expected.length &&
    expected.every((length, index) => length === "any" || fields[index]?.length === length)
  );
}

/** `validate_ssh_public_keys` of pve-common `src/PVE/Tools.pm`, which checks every line with ssh-keygen. */
export function checkSshKeys(encoded: string): void {
  const text = encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  for (const line of text.split("\n")) {
    if (!/^\s*$/.test(line) && !isPublicKey(line)) {
      die("SSH public key validation error");
    }
  }
}
