/**
 * The place of a message: a path that the compiler checks, or its steps when a map key contains a dot; null: the whole
 * object.
 */
export type PathLike<Paths extends string = string> = Paths | readonly (string | number)[] | null;

/** How hooks report to the user. Errors fail the operation; warnings are shown with its success. */
export interface Report<Paths extends string = string> {
  error(path: PathLike<Paths>, summary: string, detail: string): void;
  warning(path: PathLike<Paths>, summary: string, detail: string): void;
  /**
   * For plans: another resource of the run reports the error that refuses this one, too, so that it is shown once. The plan
   * cannot be applied: that fails with this message.
   */
  refusedElsewhere(summary: string, detail: string): void;
  /** Whether this call has reported an error so far. */
  readonly failed: boolean;
}
