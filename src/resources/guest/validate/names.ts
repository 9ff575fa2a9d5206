const label = /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

/** pve-common: src/PVE/JSONSchema.pm, `dns-name`. */
export function dnsName(text: string): string | undefined {
  if (text === "") return "Must not be empty.";
  if (text.split(".").every((part) => label.test(part))) return undefined;
  const cure = text.includes("_") ? ` Underscores are not allowed: \`${text.replaceAll("_", "-")}\`.` : "";
  return `Must be a DNS name: letters, digits and hyphens, in parts joined by dots.${cure}`;
}
