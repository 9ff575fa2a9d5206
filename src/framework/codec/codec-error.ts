import type { Path, PathStep } from "../diagnostics.ts";

/** Bytes that are not a value of the expected type. Says where and what was expected, never what was found there. */
export class CodecError extends Error {
  readonly path: Path;

  constructor(expectation: string, path: Path = []) {
    super(expectation);
    this.name = "CodecError";
    this.path = path;
  }
}

/** Runs the decoding of a part; an error in it learns that the part is at `step`. */
export function at<T>(step: PathStep, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof CodecError) throw new CodecError(error.message, [step, ...error.path]);
    throw error;
  }
}

/** Deeper than any schema goes; only values that bring their own type can be deeper, and those are refused. */
export const MAX_DEPTH = 100;
