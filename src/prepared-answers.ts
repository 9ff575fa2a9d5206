import type { PreparedAnswers } from "#plugin";

/**
 * The encoded answers to the calls for schemas, which would load every definition. The build replaces this file by one
 * that has them; the sources encode them on request, so that they are never out of date.
 */
export const preparedAnswers: PreparedAnswers | undefined = undefined;
