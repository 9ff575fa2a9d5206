import type { Section } from "../core/world/guest.ts";

/** `encode_text`: control characters, `%`, `:` and all characters beyond ASCII as `%XX` of their UTF-8 bytes. */
function encodeText(text: string): string {
  return [...Buffer.from(text, "utf8")]
    .map((byte) => {
      const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x3a;
      return plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function descriptionLines(description: string): string {
  const lines = description.replace(/\n+$/, "").split("\n");
  return lines.map((line) => `#${encodeText(line)}\n`).join("");
}

/** One section of a guest's file: the description as comments, then the options in alphabetical order. */
export function sectionText({ description, ...options }: Section, emptyDescription = ""): string {
  const comment =
    description === undefined ? "" : description === "" ? emptyDescription : descriptionLines(description);
  const lines = Object.keys(options)
    .sort()
    .map((key) => `${key}: ${options[key]}\n`);
  return comment + lines.join("");
}
