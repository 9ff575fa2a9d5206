import { matches, string } from "#framework";

/** Text as a line of a configuration file can hold it: one line, whose outer blanks PVE cuts off when it reads it back. */
export function plainLine(text: string): string | undefined {
  if (text !== text.trim())
    return "Must not begin or end with blanks or line feeds, which Proxmox VE cuts off: `trimspace()` removes them.";
  return /[\r\n]/.test(text) ? "Must be one line." : undefined;
}

/**
 * One line of at most so many characters, as the options of PVE's section files hold it (pve-common:
 * src/PVE/SectionConfig.pm, `format_property_value`).
 */
export const line = (length: number, what = "one line that is not blank") =>
  string({ check: (text) => lineProblem(text, length, what) });

function lineProblem(text: string, length: number, what = "one line that is not blank"): string | undefined {
  if (!/^\S(?:[^\n\r]*\S)?$/.test(text)) {
    const hasMore = /\S[\n\r]+\S/.test(text) ? ": the file of Proxmox VE holds no line feeds" : "";
    return `Must be ${what}${hasMore}.`;
  }
  return text.length > length ? `Must be at most ${length} characters long.` : undefined;
}

const codeOf = (char: string): string => `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;

/** The first letter beyond Latin-1: PVE writes some files without encoding them, and reads such letters back as others. */
export function beyondLatin(text: string): string | undefined {
  const char = [...text].find((one) => one > "\u00ff");
  return char === undefined
    ? undefined
    : `Must have letters up to \`ÿ\` (U+00FF) only: Proxmox VE would return \`${char}\` (${codeOf(char)}) broken. Replace it.`;
}

/** One line for the files of HA resources and of mappings, which are not encoded (pve-ha-manager, pve-guest-common). */
export const latinLine = (length: number) =>
  string({ check: (text) => lineProblem(text, length) ?? beyondLatin(text) });

/** What of a text is lost where PVE decodes what it is sent, as if it were read from its file: `%41` becomes `A`. */
export function beyondAscii(text: string): string | undefined {
  const [char] = text.match(/[^\t\u0020-\u007e\n\r]/u) ?? [];
  const [code] = text.match(/%[0-9a-f]{2}/i) ?? [];
  if (char !== undefined) {
    return `Must have letters of ASCII only: Proxmox VE breaks or refuses \`${char}\` (${codeOf(char)}) here. Replace it.`;
  }
  return code === undefined
    ? undefined
    : `Must not contain \`${code}\`: Proxmox VE would store the letter with this code. Put a blank after the \`%\`.`;
}

/** A name, a path and the like: `""` is none. */
export const notEmpty = string({ check: (text) => (text === "" ? "Must not be empty." : undefined) });

/** The same where it may be left out. */
export const notEmptyIfGiven = string({
  check: (text) => (text === "" ? "Must not be empty: leave it out instead, or set it to `null`." : undefined),
});

/** A text for a comment and the like. */
export const oneLine = string({ check: matches(/^\S([^\n\r]*\S)?$/, "one line that is not blank") });
