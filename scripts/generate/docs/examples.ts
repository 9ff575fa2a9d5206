import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A configuration to show, and a sentence about it: its leading comment, if it has one. */
export interface Example {
  readonly title: string | null;
  readonly code: string;
}

/** The configurations in a folder under `examples`: the one named after the kind first, the others by name. */
export function readExamples(root: string, folder: string): Example[] {
  const place = join(root, "examples", folder);
  if (!existsSync(place)) return [];
  const main = /^(resource|data-source|function|ephemeral-resource|action|list-resource|provider)\./;
  const files = readdirSync(place).filter((name) => /\.(tf|tfquery\.hcl)$/.test(name));
  const ordered = [...files.filter((name) => main.test(name)), ...files.filter((name) => !main.test(name)).sort()];
  return ordered.map((name) => toExample(readFileSync(join(place, name), "utf8"), main.test(name)));
}

function toExample(text: string, isMain: boolean): Example {
  const [, comment, rest] = /^# ([^\n]+)\n(?!#)\n*(.*)$/s.exec(text) ?? [];
  return isMain || comment === undefined || rest === undefined
    ? { title: null, code: text.trimEnd() }
    : { title: comment.replace(/[.:]$/, ""), code: rest.trimEnd() };
}

/** The commands of `import.sh`, and the address and ID of the first of them. */
export interface ImportExample {
  readonly commands: string;
  readonly address: string;
  readonly id: string;
}

export function readImport(root: string, type: string): ImportExample | null {
  const file = join(root, "examples/resources", type, "import.sh");
  if (!existsSync(file)) return null;
  const commands = readFileSync(file, "utf8").trimEnd();
  const [, address, quoted] = /^terraform import (\S+) ('[^']*'|\S+)$/m.exec(commands) ?? [];
  if (address === undefined || quoted === undefined)
    throw new Error(`${file} has no line "terraform import ADDRESS ID"`);
  return { commands, address, id: quoted.replace(/^'(.*)'$/, "$1") };
}
