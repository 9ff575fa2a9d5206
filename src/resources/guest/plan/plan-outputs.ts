import type { ConfigDraft, Members } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";
import { isStartedNew } from "../ha-options.ts";

/** The outputs of a new guest. `keepsMacs`: it has the MAC addresses of its source. */
export function planNewOutputs(context: GuestPlan, after: ConfigDraft, { keepsMacs = false } = {}): void {
  const { kind, config } = context;
  if (config.pool === null) context.set("pool", null);
  context.set("unused_disks", {});
  context.set("pending", []);
  if (config.power !== undefined && config.template !== undefined) {
    const isTemplate = config.template ?? Number(after.raw("template") ?? 0) === 1;
    context.set("status", !isTemplate && isStartedNew(config.power, context.planned) ? "running" : "stopped");
  }
  // A clone gets its own MAC addresses, except for configured ones.
  planMacs(context, after, (slot) => !keepsMacs && !cardIn(config, slot)?.["mac"]);
  const { status } = context.planned;
  const isUp = status === undefined ? undefined : status === "running";
  kind.planAddresses(context, after, { isUp, isStarted: true });
}

const networksIn = (tree: object) => (tree as Members)["networks"] as Members | null | undefined;

export const cardIn = (tree: object, slot: string): Members | undefined =>
  networksIn(tree)?.[slot] as Members | undefined;

/** MAC addresses that are configured or kept. Those that PVE generates are known after the apply, each by its slot. */
export function planMacs(context: GuestPlan, after: ConfigDraft, isGenerated: (slot: string) => boolean): void {
  const { kind, config, planned } = context;
  if (networksIn(config) === undefined) {
    context.setUnknown("mac_addresses");
    return;
  }
  const known = kind.macAddresses(after);
  const slots = after.slots(kind.families.networks);
  const isOpen = (slot: string) =>
    known[slot] === undefined ||
    isGenerated(slot) ||
    (cardIn(config, slot) && cardIn(planned, slot)?.["mac"] === undefined);
  context.set("mac_addresses", Object.fromEntries(slots.map((slot) => [slot, known[slot] ?? ""])));
  for (const slot of slots.filter(isOpen)) context.setUnknown(["mac_addresses", slot]);
}

/** Everything that the change may affect, where the cluster's data are not available. */
export function leaveUnknown(context: GuestPlan, prior: GuestState): void {
  if (prior.status !== "stopped") context.setUnknown("pending");
  if (context.changes.has("networks")) context.setUnknown("mac_addresses");
  for (const output of ["ip_addresses", "ipv4_address", "ipv6_address", "unused_disks"]) context.setUnknown(output);
}

/**
 * Volumes of a new template are renamed where the storage makes base images of them. So are those of a guest that moves to
 * a node which has a volume of that name.
 */
export function planRenamedVolumes(context: GuestPlan): void {
  const { kind, config, planned } = context;
  const written = new Map(kind.volumesIn(config).map(({ slot, volume }) => [slot, volume?.volume]));
  for (const { slot, path, volume } of kind.volumesIn(planned)) {
    const isPresent = path[0] === kind.volumeMap || Boolean(volume);
    if (isPresent && !written.get(slot)) context.setUnknown([...path, "volume"]);
  }
}

/** A volume that is replaced by another is kept as an unused one, and a volume that is attached again is none. */
export function planReplacedVolumes(context: GuestPlan): void {
  const { kind, prior, planned } = context;
  const before = new Map(kind.volumesIn(prior ?? {}).map(({ slot, volume }) => [slot, volume]));
  const isReplaced = kind.volumesIn(planned).some(({ slot, volume }) => {
    const former = before.get(slot);
    return volume?.volume !== former?.volume && (former || volume?.volume !== undefined);
  });
  if (isReplaced) context.setUnknown("unused_disks");
}
