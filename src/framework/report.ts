/** The place a message is about: a path the compiler knows, or its steps when a map key contains a dot; null: the whole object. */
export type PathLike<Paths extends string = string> = Paths | readonly (string | number)[] | null;

/** How hooks tell the person something. Errors reported here fail the operation; warnings are shown beside its success. */
export interface Report<Paths extends string = string> {
  error(path: PathLike<Paths>, summary: string, detail: string): void;
  warning(path: PathLike<Paths>, summary: string, detail: string): void;
  /** Whether an error was reported in this call so far. */
  readonly failed: boolean;
}
