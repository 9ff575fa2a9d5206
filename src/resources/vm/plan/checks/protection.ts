import { enumerate } from "#kit";
import type { VmPlan } from "../../contexts.ts";
import { families } from "../../slots.ts";
import type { Change } from "./change.ts";

/** PVE takes no drive out of a VM that is protected; who ends the protection in the same plan may. */
export function checkProtection({ report }: VmPlan, { before, after }: Pick<Change, "before" | "after">): void {
  const isProtected = [before, after].every((draft) => Number(draft.raw("protection") ?? 0) === 1);
  const removed = before.slots(families.volumes).filter((slot) => !after.has(slot));
  if (!isProtected || removed.length === 0) return;
  report.error(
    "protection",
    "VM is protected",
    `${enumerate(removed)} would leave the VM, which \`protection\` forbids. Set \`protection = false\` for this change, and again to true after it.`,
  );
}
