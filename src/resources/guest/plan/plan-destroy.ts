import { attachmentsOf, checkPrivileges } from "#kit";
import type { GuestPlanDelete } from "../context.ts";
import { setIntent } from "../intents.ts";
import { destroyNeeds } from "./needs/guest-needs.ts";

/** Reports what would stop the destruction before anything is changed. */
export async function planDestroy(context: GuestPlanDelete): Promise<void> {
  const { kind, api, state, report } = context;
  if (api && state.vmid !== undefined) {
    setIntent(api, state.vmid, { isKept: false, name: null });
    attachmentsOf(api).release(state.vmid, null);
  }
  if (state.protection) {
    report.error(
      "protection",
      `${kind.title} is protected`,
      `${kind.title} ${state.vmid} has \`protection = true\`. Set it to false and apply that first.`,
    );
  }
  if (api) await checkPrivileges({ report, api, needs: destroyNeeds(context) });
}
