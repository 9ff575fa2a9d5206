import { type ConfigDraft, type Members, parseWired } from "#kit";
import type { GuestPlan } from "../context.ts";
import { configuredSlots } from "../lifecycle/remember.ts";
import { fill } from "./fill.ts";

/** Shows the settings that a new guest will have and that are not configured. */
export function predict(context: GuestPlan, before: ConfigDraft, after: ConfigDraft): void {
  const { kind, config, planned } = context;
  const predicted = parseWired(kind.settings, after);
  const hidden = kind.plan.unpredictable(context, before, after);
  const attributes = Object.fromEntries(Object.entries(kind.settings).filter(([name]) => !hidden.includes(name)));
  fill(context, { attributes, path: [], config: config as Members, planned: planned as Members, predicted });
  kind.plan.afterFill(context, after);
}

/** Slots that a copy takes over and that are in no map. */
export function planInherited(context: GuestPlan, before: ConfigDraft, after: ConfigDraft): void {
  const { kind, config } = context;
  const configured = configuredSlots(kind, config);
  const devices = before.slots(kind.families.inherited);
  context.set(
    "inherited",
    devices.filter((slot) => !configured.includes(slot) && after.has(slot)),
  );
}
