/** `hand`: the user has to do something. `left`: nothing has to be done, but something is no longer there. */
export type Level = "hand" | "left";

export interface Note {
  readonly level: Level;
  readonly file: string;
  readonly line: number;
  /** `proxmox_virtual_environment_vm.web: disk.file_id` */
  readonly what: string;
  readonly todo: string;
}

/** What could not be translated, or is not needed, of one file. */
export class Notes {
  readonly all: Note[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the comment that stands in the output. */
  add(level: Level, line: number, what: string, todo: string): string {
    const isKnown = this.all.some((note) => note.line === line && note.what === what && note.todo === todo);
    if (!isKnown) this.all.push({ level, file: this.#file, line, what: oneLine(what), todo: oneLine(todo) });
    const name = oneLine(what).replace(/^\S+: /, "");
    return level === "hand" ? `# TODO: ${name}: ${oneLine(todo)}` : `# Left out: ${name}: ${oneLine(todo)}`;
  }
}

/** A comment ends with its line: whatever a configuration holds must not go on behind it. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
  return text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029\s]+/g, " ").trim();
}
