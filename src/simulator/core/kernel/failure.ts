/**
 * What PVE code throws (pve-common `src/PVE/Exception.pm`). `message` ends with a newline, as in Perl; the kernel turns
 * it into the status line, the body and, in a worker, the task's exit status. Without a status it is a plain `die`,
 * which the server answers with 500.
 */
export class Failure extends Error {
  readonly status: number | undefined;
  /** One text per parameter. */
  readonly errors: Readonly<Record<string, string>> | undefined;

  constructor(message: string, status?: number, errors?: Readonly<Record<string, string>>) {
    super(message.endsWith("\n") ? message : `${message}\n`);
    this.name = "Failure";
    this.status = status;
    this.errors = errors;
  }

  /** The exception as text (`$@`): the status, the message, one line per parameter, a final newline. */
  get text(): string {
    const status = this.status === undefined ? "" : `${this.status} `;
    const lines = Object.entries(this.errors ?? {}).map(([name, text]) => `${name}: ${text}\n`);
    return `${status}${this.message}${lines.join("")}`;
  }
}

/** Perl's `die "text\n"`: status 500, or a task's exit status. */
export function die(message: string): never {
  throw new Failure(message);
}

/** `raise_param_exc`: 400 with one text per parameter. */
export function paramError(errors: Readonly<Record<string, string>>): never {
  throw new Failure("Parameter verification failed.", 400, errors);
}

/** `raise_perm_exc`: 403 with PVE's frame around the detail. */
export function permissionError(detail?: string): never {
  throw new Failure(detail === undefined ? "Permission check failed" : `Permission check failed (${detail})`, 403);
}

/** `raise($text, code => $status)`. */
export function raise(status: number, message: string): never {
  throw new Failure(message, status);
}

/** Any thrown value as Perl's `$@` would contain it, with the final newline. */
export function failureText(thrown: unknown): string {
  if (thrown instanceof Failure) {
    return thrown.text;
  }
  return `${thrown instanceof Error ? thrown.message : String(thrown)}\n`;
}
