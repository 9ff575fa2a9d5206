import { matches, string } from "#framework";

/** Text as a line of a configuration file can hold it: one line, whose outer blanks PVE cuts off when it reads it back. */
export function plainLine(text: string): string | undefined {
  if (text !== text.trim())
    return "Must not begin or end with blanks or line feeds, which Proxmox VE cuts off: `trimspace()` removes them.";
  return /[\r\n]/.test(text) ? "Must be one line." : undefined;
}

/** One line of at most so many characters, as the options of PVE's section files hold it. */
export const line = (length: number, what = "one line that is not blank") =>
  string({
    check: (text) => {
      if (!/^\S(?:[^\n]*\S)?$/.test(text)) return `Must be ${what}.`;
      return text.length > length ? `Must be at most ${length} characters long.` : undefined;
    },
  });

/** Up to so many characters on one or more lines, where PVE encodes line feeds; PVE removes blanks at its ends. */
export const lines = (length: number) =>
  string({
    check: (text) => {
      if (!/^\S(?:[\s\S]*\S)?$/.test(text)) return "Must not be blank, nor begin or end with blanks or line feeds.";
      return text.length > length ? `Must be at most ${length} characters long.` : undefined;
    },
  });

/** A text for a comment and the like. */
export const oneLine = string({ check: matches(/^\S([^\n]*\S)?$/, "one line that is not blank") });
