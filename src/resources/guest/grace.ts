import { parseDuration } from "#kit";

/** How a guest is stopped. */
export interface Grace {
  /** How long it may take to shut down; 0 stops it at once. */
  readonly ms: number;
  /** Whether it is stopped hard after that. */
  readonly isForced: boolean;
  /** The attribute that gives it more time. */
  readonly attribute: "shutdown.timeout" | "destroy.grace";
}

interface Wanted {
  readonly shutdown?:
    | { readonly timeout?: string | null | undefined; readonly force?: boolean | null | undefined }
    | null
    | undefined;
  readonly destroy?: { readonly grace?: string | null | undefined } | null | undefined;
}

const defaultTimeout = "60s";
const defaultTimeoutAtDestruction = "30s";

const graceOf = (time: string, { shutdown }: Wanted, attribute: Grace["attribute"] = "shutdown.timeout"): Grace => ({
  ms: parseDuration(time) ?? 0,
  isForced: shutdown?.force ?? true,
  attribute,
});

/** For a restart, and for a guest that is to be stopped. */
export const stopGrace = (wanted: Wanted): Grace => graceOf(wanted.shutdown?.timeout ?? defaultTimeout, wanted);

/** For a guest that is destroyed. */
export const destroyGrace = (wanted: Wanted): Grace => {
  const { grace } = wanted.destroy ?? {};
  const time = grace ?? wanted.shutdown?.timeout ?? defaultTimeoutAtDestruction;
  return graceOf(time, wanted, grace ? "destroy.grace" : "shutdown.timeout");
};

/** For messages: "has 60s to shut down and is stopped hard after that". */
export function describeGrace({ ms, isForced }: Grace): string {
  if (ms === 0) return "is stopped at once, without a shutdown (`shutdown.timeout`)";
  const end = isForced ? "is stopped hard after that" : "the apply fails if it takes longer";
  return `has ${ms / 1000}s to shut down and ${end} (\`shutdown\`)`;
}
