import type { Path, PathStep } from "../diagnostics.ts";

/**
 * Bytes that are not a value of the expected type. The message names the place and the expected type, never the value
 * found.
 */
export class CodecError extends Error {
  readonly path: Path;

  constructor(expectation: string, path: Path = []) {
    super(expectation);
    this.name = "CodecError";
    this.path = path;
  }
}

/** Decodes a part; an error in it gets `step` added to its path. */
export function at<T>(step: PathStep, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof CodecError) throw new CodecError(error.message, [step, ...error.path]);
    throw error;
  }
}

/** Deeper than any schema. Only values that carry their own type can be deeper, and those are refused. */
export const MAX_DEPTH = 100;
