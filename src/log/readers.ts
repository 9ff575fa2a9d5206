import { isWithin, type Level } from "./line.ts";
import { logSettings } from "./settings.ts";

/**
 * Whether anybody would read a line of some level. Terraform reads all it is given, a trace takes every line, and whoever asked for
 * a log is also to hear at once what is wrong with what they asked for.
 */
export function readersOf(env: Readonly<Record<string, string | undefined>>): (level: Level) => boolean {
  const { level: limit, isAsked, tracePath } = logSettings(env);
  return (level) => isAsked || tracePath !== undefined || isWithin(level, limit);
}
