import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../run-command.ts";

/** Not copied: what Terraform keeps for itself, states, and what belongs to other tools. */
const left = /^(?:\.terraform|\.git|node_modules|.*\.tfstate(?:\..*)?|terraform\.tfstate\.d|\.rehearsal-.*)$/;

/** Files and folders; sockets and devices are of no use to a configuration. */
function isCopied(source: string): boolean {
  const entry = lstatSync(source);
  return !left.test(basename(source)) && (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink());
}

/** A configuration beside the real one, so that paths such as `../keys` lead to the same files. */
export class WorkingCopy {
  readonly folder: string;

  constructor(original: string) {
    const root = resolve(original);
    try {
      this.folder = mkdtempSync(join(dirname(root), `.rehearsal-${basename(root)}-`));
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      throw new UsageError(
        `No folder can be made beside '${root}', where paths such as \`../keys\` would lead on: ${code}.`,
      );
    }
    try {
      cpSync(root, this.folder, { recursive: true, filter: (source) => source === root || isCopied(source) });
      this.#copyModules(root);
    } catch (thrown) {
      this.remove();
      throw thrown;
    }
  }

  /** Modules that `terraform init` has fetched for the original. */
  #copyModules(root: string): void {
    const fetched = join(root, ".terraform/modules");
    if (existsSync(fetched)) cpSync(fetched, join(this.folder, ".terraform/modules"), { recursive: true });
  }

  /** The state as `state pull` printed it, in a file: no backend of the user is written to. */
  keepState(state: string, workspace: string): void {
    writeFileSync(join(this.folder, "rehearsal_override.tf"), 'terraform {\n  backend "local" {}\n}\n');
    const place = workspace === "default" ? this.folder : join(this.folder, "terraform.tfstate.d", workspace);
    mkdirSync(place, { recursive: true });
    if (state.trim() !== "") writeFileSync(join(place, "terraform.tfstate"), state, { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
