import type { Visit } from "./visit.ts";

export type Verdict = "ok" | "notice" | "failed";

/** What was seen, in one sentence, and where something is amiss, what to do about it, a line each. */
export interface Finding {
  readonly verdict: Verdict;
  readonly said: string;
  readonly cure?: readonly string[];
}

/** One thing that has to be right. */
export interface Check {
  readonly id: string;
  /** Which one, where there are several of a kind: an endpoint. */
  readonly subject?: string | undefined;
  /** Checks without whose success this one could only repeat their failure. */
  readonly needs: readonly string[];
  /** What it throws is a finding too: that it could not be looked at. */
  look(visit: Visit): Promise<Finding | readonly Finding[]>;
}

export const ok = (said: string): Finding => ({ verdict: "ok", said });
export const notice = (said: string, ...cure: string[]): Finding => ({ verdict: "notice", said, cure });
export const failed = (said: string, ...cure: string[]): Finding => ({ verdict: "failed", said, cure });
