const example = "ssh-ed25519 AAAA… user@host";

/**
 * One line of an `authorized_keys` file. PVE asks ssh-keygen about each (pve-common: src/PVE/Tools.pm,
 * `validate_ssh_public_keys`). The text is never repeated in a message: it may be a secret.
 */
export function publicKey(text: string): string | undefined {
  const line = text.trim();
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line) || /^PuTTY-User-Key-File/.test(line)) {
    return "Must be a public key, and this is a private one. Use the file that ends in `.pub`.";
  }
  if (/^---- BEGIN SSH2 PUBLIC KEY ----/.test(line)) {
    return "Must be a key in OpenSSH's format. `ssh-keygen -i -f FILE` converts it.";
  }
  if (line.includes("\n")) {
    return 'Must be one key. Split a file of several: `split("\\n", trimspace(file("keys")))`.';
  }
  const words = line.split(/\s+/);
  const at = words.findIndex((word) => /^(ssh-|ecdsa-|sk-)[\w.@-]+$/.test(word));
  if (at < 0) return `Must be a public key, as in an \`authorized_keys\` line: \`${example}\`.`;
  const [type = "", data = ""] = words.slice(at);
  return isKeyOf(type, data)
    ? undefined
    : `Must be a whole \`${type}\` key: the part after the type is truncated or damaged.`;
}

/** The data begins with the type again, and consists of strings that each say their length. */
function isKeyOf(type: string, data: string): boolean {
  if (!/^[A-Za-z0-9+/]+=*$/.test(data)) return false;
  const bytes = Buffer.from(data, "base64");
  const fields: string[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 4 <= bytes.length ? offset + 4 + bytes.readUInt32BE(offset) : Number.POSITIVE_INFINITY;
    // A certificate has numbers among its strings.
    if (end > bytes.length) return fields[0] === type && type.includes("-cert-");
    fields.push(bytes.toString("latin1", offset + 4, end));
    offset = end;
  }
  return fields[0] === type && fields.length > 1;
}
