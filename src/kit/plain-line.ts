import { matches, string } from "#framework";

/** Text as a line of a configuration file can hold it: one line, whose outer blanks PVE cuts off when it reads it back. */
export function plainLine(text: string): string | undefined {
  if (text !== text.trim())
    return "Must not begin or end with blanks or line feeds, which Proxmox VE cuts off: `trimspace()` removes them.";
  return /[\r\n]/.test(text) ? "Must be one line." : undefined;
}

/** A text for a comment and the like. */
export const oneLine = string({ check: matches(/^\S([^\n]*\S)?$/, "one line that is not blank") });
