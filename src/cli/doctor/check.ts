import type { CheckContext } from "./check-context.ts";

export type Verdict = "ok" | "notice" | "failed";

/** The result in one sentence and, for a problem, what to do about it, one line each. */
export interface Finding {
  readonly verdict: Verdict;
  readonly said: string;
  readonly cure?: readonly string[];
}

/** One thing that must be right. */
export interface Check {
  readonly id: string;
  /** Which one, where there are several of a kind: an endpoint. */
  readonly subject?: string | undefined;
  /** Checks that must succeed first; otherwise this one could only repeat their failure. */
  readonly needs: readonly string[];
  /** A thrown error is a finding too: the check could not be made. */
  look(context: CheckContext): Promise<Finding | readonly Finding[]>;
}

export const ok = (said: string): Finding => ({ verdict: "ok", said });
export const notice = (said: string, ...cure: string[]): Finding => ({ verdict: "notice", said, cure });
export const failed = (said: string, ...cure: string[]): Finding => ({ verdict: "failed", said, cure });
