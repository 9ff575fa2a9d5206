import type { Diagnostic, Path } from "../diagnostics.ts";
import type { PathLike, Report } from "../report.ts";
import { formatPath, resolvePath, showable } from "../schema/path.ts";
import { withoutSecrets } from "../schema/secrets.ts";
import type { Type } from "../schema/type.ts";

export type Refusal = Pick<Diagnostic, "summary" | "detail">;

/** Collects the messages of one call. Drops duplicates and removes secrets. */
export class Collector implements Report {
  readonly #root: Type;
  readonly #secrets: ReadonlySet<string>;
  readonly #subject: string;
  readonly #provider: string;
  readonly #found: Diagnostic[] = [];
  #refusal: Refusal | undefined;

  /** `root` is the type that paths lead through; `subject` names the operation and the type in a bug report. */
  constructor(root: Type, secrets: ReadonlySet<string>, { subject, provider }: { subject: string; provider: string }) {
    this.#root = root;
    this.#secrets = secrets;
    this.#subject = subject;
    this.#provider = provider;
  }

  get failed(): boolean {
    return this.#refusal !== undefined || this.#found.some(({ severity }) => severity === "error");
  }

  /** The reason why the plan cannot be applied, if another resource reports it. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  refusedElsewhere(summary: string, detail: string): void {
    this.#refusal ??= { summary, detail };
  }

  error(path: PathLike, summary: string, detail: string): void {
    this.add("error", resolvePath(this.#root, path).path, summary, detail);
  }

  warning(path: PathLike, summary: string, detail: string): void {
    this.add("warning", resolvePath(this.#root, path).path, summary, detail);
  }

  /** A bug in the provider. */
  bug(message: string, path: Path = []): void {
    const plea = `This is a bug in the provider, please report it: ${this.#subject}.`;
    this.add("error", path, "Bug in the provider", `${message}\n\n${plea}`);
  }

  /** The text names a place that Terraform cannot show. */
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
      summary: withoutSecrets(diagnostic.summary, this.#secrets, this.#provider),
      detail: withoutSecrets(diagnostic.detail, this.#secrets, this.#provider),
    }));
    return [...new Map(clean.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
  }
}
