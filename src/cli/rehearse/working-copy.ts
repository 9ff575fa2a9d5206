import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../run-command.ts";

/** Not copied: what Terraform keeps for itself, states, and what belongs to other tools. */
const left = /^(?:\.terraform|\.git|node_modules|.*\.tfstate(?:\..*)?|terraform\.tfstate\.d|\.rehearsal-.*)$/;

/** Files and folders; sockets and devices are of no use to a configuration. */
function isCopied(source: string): boolean {
  const entry = lstatSync(source);
  return !left.test(basename(source)) && (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink());
}

/** Terraform reads override files in the order of their names, and the last one that names a backend decides. */
const overrideFile = "~rehearsal_override.tf";

/** A configuration beside the real one, so that paths such as `../keys` lead to the same files. */
export class WorkingCopy {
  readonly folder: string;

  /** `data` is where Terraform keeps providers and modules of the original. */
  constructor(original: string, data: string) {
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
      const filter = (source: string) => source === root || (source !== data && isCopied(source));
      cpSync(root, this.folder, { recursive: true, filter });
      this.#copyModules(join(data, "modules"));
    } catch (thrown) {
      this.remove();
      throw thrown;
    }
  }

  /** Modules that `terraform init` has fetched for the original. */
  #copyModules(fetched: string): void {
    if (existsSync(fetched)) cpSync(fetched, join(this.folder, ".terraform/modules"), { recursive: true });
  }

  /** Lets Terraform keep the state of the copy in a file: no backend of the user is written to. */
  useOwnState(workspace: string): void {
    writeFileSync(join(this.folder, overrideFile), 'terraform {\n  backend "local" {}\n}\n');
    mkdirSync(this.#stateFolder(workspace), { recursive: true });
  }

  /** The state as `state pull` printed it. Only after `terraform init`, which would want to migrate it. */
  keepState(state: string, workspace: string): void {
    const chosen = readFileSync(join(this.folder, ".terraform/terraform.tfstate"), "utf8");
    const { backend } = JSON.parse(chosen) as { backend?: { type?: string } };
    if (backend?.type !== "local") {
      throw new UsageError(
        `An override file names the backend '${backend?.type}' after '${overrideFile}', and a rehearsal would write to it. ` +
          "Give that file a name that comes earlier.",
      );
    }
    if (state.trim() === "") return;
    writeFileSync(join(this.#stateFolder(workspace), "terraform.tfstate"), state, { mode: 0o600 });
  }

  #stateFolder(workspace: string): string {
    return workspace === "default" ? this.folder : join(this.folder, "terraform.tfstate.d", workspace);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
