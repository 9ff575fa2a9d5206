import { failureText } from "../kernel/failure.ts";

/** Operations that clean up after themselves catch SIGTERM and die of it in their own words. */
export function failureReason(thrown: unknown): string {
  const text = failureText(thrown);
  return text === "received interrupt\n" ? "interrupted by signal\n" : text;
}
