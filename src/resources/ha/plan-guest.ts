import type { Report, Session } from "#kit";
import { hasGivenUp } from "../guest/ha-options.ts";
import { claimHa } from "../guest/ha-owners.ts";
import { parseSid } from "./sid.ts";

interface Plan {
  readonly config: { readonly sid?: string | undefined };
  readonly prior: object | null;
  readonly planned: { readonly state?: string | undefined };
  readonly changes: ReadonlySet<string>;
  readonly report: Report<"sid" | "state">;
}

/** Refuses a guest that `ha` of its own manages, that is of the other kind, or that HA has given up. */
export async function planGuest(context: Plan, api: Session): Promise<void> {
  const { sid } = context.config;
  const { prior, report } = context;
  if (!sid) return;
  if (prior !== null) await refuseGivenUp(context, sid, api);
  const refusal = claimHa(api, sid, "resource");
  if (refusal !== null) report.error("sid", "Two owners", refusal);
  const wanted = prior === null ? parseSid(sid) : null;
  const guest = wanted && (await api.inventory.locate(wanted.vmid));
  if (!guest) return;
  const kind = guest.type === "lxc" ? "ct" : "vm";
  if (kind === wanted.kind) return;
  const noun = kind === "ct" ? "container" : "VM";
  report.error("sid", "Another kind of guest", `${wanted.vmid} is a ${noun}: write \`${kind}:${wanted.vmid}\`.`);
}

async function refuseGivenUp({ planned, changes, report }: Plan, sid: string, api: Session): Promise<void> {
  if (changes.size === 0 || changes.has("sid") || planned.state === "disabled") return;
  if (!(await hasGivenUp(api, parseSid(sid)?.vmid ?? 0))) return;
  report.error(
    "state",
    "HA has given up the guest",
    `HA could not start ${sid}, left it in the state \`error\`, and accepts no other change until it is disabled. The log of its last start task says why. Remove the cause, apply \`state = "disabled"\`, then what you want.`,
  );
}
