import { isWithin, type Level } from "./line.ts";
import { logSettings } from "./settings.ts";

/**
 * Whether a line of some level has a reader. Terraform reads all lines, a trace takes every line, and a user who asked
 * for a log also gets the problems of its settings at once.
 */
export function readersOf(env: Readonly<Record<string, string | undefined>>): (level: Level) => boolean {
  const { level: limit, isAsked, tracePath } = logSettings(env);
  return (level) => isAsked || tracePath !== undefined || isWithin(level, limit);
}
