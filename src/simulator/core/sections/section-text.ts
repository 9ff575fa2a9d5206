import type { ConfigSection } from "../world/section.ts";

// What the lines of a section file do to texts: pve-common `src/PVE/SectionConfig.pm` and `src/PVE/ParseUtils.pm`.

/** A value as it is read back: without the blanks around it. */
export function trimmed<T extends string | string[]>(value: T): T {
  return (typeof value === "string" ? value.replace(/^ +| +$/g, "") : value) as T;
}

/**
 * A file that is written as it is: one character beyond Latin-1 makes Perl write the whole file in UTF-8, whose bytes
 * are read back as single characters.
 */
export function rereadSections(sections: Record<string, ConfigSection>): void {
  const texts = Object.values(sections).flatMap(({ options }) => Object.values(options).flat());
  const isWide = texts.some((text) => /[^\0-\xff]/.test(text));
  const reread = (text: string) => (isWide ? Buffer.from(text).toString("latin1") : text).replace(/^\s+|\s+$/g, "");
  for (const section of Object.values(sections)) {
    const options = Object.entries(section.options).map(([name, value]) => [
      name,
      typeof value === "string" ? reread(value) : value.map(reread),
    ]);
    section.options = Object.fromEntries(options.filter(([, value]) => value !== ""));
  }
}

/** `decode_text`: percent signs, then UTF-8; a byte that is none becomes a replacement character. */
export function decodeText(text: string): string {
  const bytes = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
