import { isIP } from "node:net";

const bits = { 4: 32, 6: 128 } as const;

/** Why a text is not an address of that version, with the length of its prefix or without; undefined if it is. */
export const cidrOf =
  (version: 4 | 6, form: "prefix" | "plain" = "prefix") =>
  (text: string): string | undefined => {
    const [address = "", prefix, ...more] = text.split("/");
    const hasPrefix = prefix !== undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits[version];
    const isRight = form === "plain" ? prefix === undefined : hasPrefix && more.length === 0;
    if (isIP(address) === version && isRight) return undefined;
    const example = version === 4 ? "192.168.1.10" : "fd00::10";
    return form === "plain"
      ? `Must be an IPv${version} address, such as \`${example}\`.`
      : `Must be an IPv${version} address with the length of the prefix, such as \`${example}/${version === 4 ? 24 : 64}\`.`;
  };
