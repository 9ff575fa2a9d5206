import { enumerate } from "#kit";
import type { GuestPlan } from "../../context.ts";
import type { Change } from "./change.ts";

/** PVE removes no volume from a protected guest. A plan that ends the protection may remove it. */
export function checkProtection(
  { kind, report }: GuestPlan,
  { before, after }: Pick<Change, "before" | "after">,
): void {
  const isProtected = [before, after].every((draft) => Number(draft.raw("protection") ?? 0) === 1);
  const removed = before.slots(kind.families.volumes).filter((slot) => !after.has(slot));
  if (!isProtected || removed.length === 0) return;
  report.error(
    "protection",
    `${kind.title} is protected`,
    `${enumerate(removed)} would leave the ${kind.noun}, which \`protection\` forbids. Set \`protection = false\` for this change, and again to true after it.`,
  );
}
