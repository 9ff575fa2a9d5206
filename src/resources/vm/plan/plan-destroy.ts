import { checkPrivileges } from "#kit";
import { setIntent } from "../../guest/intents.ts";
import type { VmPlanDelete } from "../contexts.ts";
import { destroyNeeds } from "./needs/life-needs.ts";

/** Says before anything is touched what would stop the destruction. */
export async function planDestroy(context: VmPlanDelete): Promise<void> {
  const { api, state, report } = context;
  if (api && state.vmid !== undefined) setIntent(api, state.vmid, { isKept: false, name: null });
  if (state.protection) {
    report.error(
      "protection",
      "VM is protected",
      `VM ${state.vmid} has \`protection = true\`. Set it to false and apply that first.`,
    );
  }
  if (api) await checkPrivileges({ report, api, needs: destroyNeeds(context) });
}
