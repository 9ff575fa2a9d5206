import type { Session } from "#kit";
import type { GuestPlan, GuestState } from "../../context.ts";
import { hasGivenUp } from "../../ha-options.ts";
import { sidOf } from "../../lifecycle/ha.ts";
import { isStarted } from "./change.ts";

/** Refuses what HA would not do for a guest that it has given up. */
export async function checkGivenUp(context: GuestPlan, api: Session, prior: GuestState): Promise<void> {
  const { kind, planned, changes, report } = context;
  const { vmid } = prior;
  const leavesHa = prior.ha !== null && planned.ha === null;
  const isChanged = changes.has("ha") && !leavesHa && planned.ha?.state !== "disabled";
  if (vmid === undefined || leavesHa || !(isChanged || isStarted(context))) return;
  if (!(await hasGivenUp(api, vmid))) return;
  const sid = sidOf(kind, vmid);
  const refused = isChanged
    ? `The HA options of ${kind.noun} ${vmid} cannot be changed`
    : `${kind.title} ${vmid} cannot be started`;
  const other = isChanged ? "" : ` To change the ${kind.noun} without starting it, set \`power = "unmanaged"\`.`;
  report.error(
    isChanged ? "ha" : "power",
    `HA has given up the ${kind.noun}`,
    `${refused}: HA could not start it before, left it in the state \`error\`, and ignores requests. The log of its last start task says why. Remove the cause, run \`ha-manager set ${sid} --state disabled\` on a node, or set the requested state of ${sid} to \`disabled\` in the web interface, and plan again.${other}`,
  );
}
