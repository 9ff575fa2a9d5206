import type { Diagnostic, Path } from "../diagnostics.ts";
import type { PathLike, Report } from "../report.ts";
import { formatPath, resolvePath, showable } from "../schema/path.ts";
import { withoutSecrets } from "../schema/secrets.ts";
import type { Type } from "../schema/type.ts";

/** Gathers what one call has to tell the person. Says nothing twice, and no secret at all. */
export class Collector implements Report {
  readonly #root: Type;
  readonly #secrets: ReadonlySet<string>;
  readonly #subject: string;
  readonly #found: Diagnostic[] = [];

  /** `root` is what paths lead through; `subject` says in a bug report what was being done to which type. */
  constructor(root: Type, secrets: ReadonlySet<string>, subject: string) {
    this.#root = root;
    this.#secrets = secrets;
    this.#subject = subject;
  }

  get failed(): boolean {
    return this.#found.some(({ severity }) => severity === "error");
  }

  error(path: PathLike, summary: string, detail: string): void {
    this.add("error", resolvePath(this.#root, path).path, summary, detail);
  }

  warning(path: PathLike, summary: string, detail: string): void {
    this.add("warning", resolvePath(this.#root, path).path, summary, detail);
  }

  /** A fault of our own. */
  bug(message: string, path: Path = []): void {
    const plea = `This is a bug in the provider, please report it: ${this.#subject}.`;
    this.add("error", path, "Bug in the provider", `${message}\n\n${plea}`);
  }

  /** What Terraform cannot point at is named in the text. */
  add(severity: Diagnostic["severity"], path: Path, summary: string, detail: string): void {
    const shown = showable(path);
    const full = formatPath(path);
    const isNamed = shown.length === path.length || summary.includes(full) || detail.startsWith(full);
    const text = isNamed ? detail : `${full}: ${detail}`;
    this.#found.push({ severity, summary, detail: text, ...(shown.length > 0 ? { path: shown } : {}) });
  }

  get diagnostics(): Diagnostic[] {
    const clean = this.#found.map((diagnostic) => ({
      ...diagnostic,
      summary: withoutSecrets(diagnostic.summary, this.#secrets),
      detail: withoutSecrets(diagnostic.detail, this.#secrets),
    }));
    return [...new Map(clean.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
  }
}
