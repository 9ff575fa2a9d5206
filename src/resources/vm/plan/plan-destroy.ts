import type { VmPlanDelete } from "../contexts.ts";

/** Says before anything is touched what would stop the destruction. */
export function planDestroy({ state, report }: VmPlanDelete): void {
  if (state.protection) {
    report.error(
      "protection",
      "VM is protected",
      `VM ${state.vmid} has \`protection = true\`. Set it to false and apply that first.`,
    );
  }
}
