import type { Fault } from "../fault.ts";
import { certificates, retries } from "./connection.ts";
import { digest } from "./digest.ts";
import { marks, ownership, volumes } from "./ownership.ts";
import { admission, privileges } from "./privileges.ts";
import { plainTexts, secrets } from "./secrets.ts";
import { commits, plans } from "./staging.ts";

/** Each breaks a rule that keeps a cluster, its data or its secrets safe. */
export const faults: readonly Fault[] = [
  ...ownership,
  ...marks,
  ...volumes,
  ...digest,
  ...privileges,
  ...admission,
  ...certificates,
  ...retries,
  ...secrets,
  ...plainTexts,
  ...commits,
  ...plans,
];
