import { isIPv4, isIPv6 } from "node:net";
import { matches } from "#kit";

interface Family {
  readonly name: string;
  readonly bits: number;
  readonly example: string;
  isAddress(text: string): boolean;
  check(text: string): string | undefined;
}

const family = (name: string, bits: number, example: string, isAddress: (text: string) => boolean): Family => ({
  name,
  bits,
  example,
  isAddress,
  check: (text) => (isAddress(text) ? undefined : `Must be an ${name} address such as \`${example}\`.`),
});

export const ipv4 = family("IPv4", 32, "10.0.0.1", isIPv4);
/** Node's own check is a large expression that takes 6 ms to compile, for one VM without such an address as for a thousand. */
export const ipv6 = family("IPv6", 128, "fd00::1", (text) => text.includes(":") && isIPv6(text));

/** An address with its prefix length, or one of these words. */
export const cidrOr =
  ({ name, bits, example, isAddress }: Family, ...words: readonly string[]) =>
  (text: string): string | undefined => {
    if (words.includes(text)) return undefined;
    const [address = "", prefix, ...rest] = text.split("/");
    const isCidr = isAddress(address) && /^\d{1,3}$/.test(prefix ?? "") && Number(prefix) <= bits && rest.length === 0;
    if (isCidr) return undefined;
    const alternatives = words.map((word) => ` or \`${word}\``).join("");
    const cure = isAddress(text) ? ` Add the prefix length: \`${text}/${bits === 32 ? 24 : 64}\`.` : "";
    return `Must be an ${name} address with prefix length such as \`${example}/${bits === 32 ? 24 : 64}\`${alternatives}.${cure}`;
  };

/** The lowest bit of the first byte marks groups, which no card may be (pve-common: src/PVE/JSONSchema.pm). */
export function macAddress(text: string): string | undefined {
  if (!/^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$/.test(text)) return "Must be a MAC address such as `BC:24:11:01:02:03`.";
  return Number.parseInt(text.slice(0, 2), 16) & 1 ? "Must be the address of one card, not of a group." : undefined;
}

/** Whether there is such a bridge is for the plan; "" unsets it (pve-common: src/PVE/JSONSchema.pm, `pve-bridge-id`). */
export const bridgeName = matches(/^[-\w.]*$/, "a name of letters, digits, `-`, `_` and `.`, such as `vmbr0`");

export function vlanRange(text: string): string | undefined {
  const [, from = "", to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text) ?? [];
  const isVlan = (digits: string) => Number(digits) >= 1 && Number(digits) <= 4094;
  return isVlan(from) && isVlan(to) && Number(from) <= Number(to)
    ? undefined
    : "Must be a VLAN from 1 to 4094, or a range such as `20-30`.";
}
