import type { Attributes, Members, WiredAttribute } from "#kit";
import type { GuestPlan, GuestState } from "./context.ts";
import type { GuestKind } from "./kind.ts";
import { isForeign } from "./volume.ts";

/** The difference as a tree, with `undefined` wherever nothing differs: the part of the desired state to be sent. */
export function changedOnly(attributes: Attributes, prior: Members, desired: Members): Members {
  return Object.fromEntries(
    Object.entries(desired).map(([name, value]) => {
      const [attribute, before] = [attributes[name], prior[name]];
      const isEntire = isOneValue(attribute) && !isEqual(before, value);
      return [name, isEntire ? value : changed(attribute, before, value)];
    }),
  );
}

/** A map whose keys are no slots is sent as a whole, such as the variables of an environment. */
const isOneValue = (attribute: WiredAttribute | undefined): boolean =>
  attribute?.type.shape.kind === "map" && attribute.slots === undefined;

function changed(attribute: WiredAttribute | undefined, before: unknown, after: unknown): unknown {
  if (isEqual(before, after)) return undefined;
  // The state has no write-only values: none is a change only for one with a version, which has changed then.
  if (before === undefined && after === null && typeof attribute?.writeOnly !== "object") return undefined;
  if (!isMembers(before) || !isMembers(after)) return after;
  const shape = attribute?.type.shape;
  const inner = changedOnly(shape?.kind === "nested" ? shape.attributes : {}, before, after);
  return Object.values(inner).every((member) => member === undefined) ? undefined : inner;
}

export interface LeavingSlot {
  readonly map: string;
  readonly slot: string;
  /** Whether the volume in it is deleted with its data. */
  readonly isDeleted: boolean;
}

/** A slot that leaves its map and stays in the guest, as it was before it was configured. */
export interface ReleasedSlot {
  readonly map: string;
  readonly slot: string;
  readonly before: unknown;
}

export interface Leaving {
  /** Slots that the configuration added: they are removed from the guest. */
  readonly removed: readonly LeavingSlot[];
  /** Slots that the guest had before they were configured. */
  readonly released: readonly ReleasedSlot[];
  /** Slots without a record of what was there before: they are left alone. */
  readonly kept: readonly string[];
}

/** Whether the attribute holds volumes. */
export const hasVolumes = ({ volumeMap, namedVolumes }: GuestKind, attribute: string): boolean =>
  attribute === volumeMap || namedVolumes.some(([name]) => name === attribute);

/** Slots that were configured and no longer are. */
export function leavingSlots(
  { kind, leaving, privateState }: Pick<GuestPlan, "kind" | "leaving" | "privateState">,
  prior: GuestState,
  planned: object,
): Leaving {
  const [before, after] = [prior as Members, planned as Members];
  const named = kind.namedVolumes.filter(([name]) => before[name] && after[name] === null);
  const slots = leaving.map(({ path: [map, slot = ""], before: original, isRemembered }) => {
    const device = (before[map] as Members | null | undefined)?.[slot];
    const isOwn = isRemembered && original === null;
    const isAdded = isRemembered
      ? isOwn && slot !== kind.permanentSlot
      : privateState.slots?.includes(slot) || (privateState.isForgotten && isOutliving(device, prior));
    return { map, slot, before: original, isDeleted: isDeleted(device), isAdded, isReleased: isRemembered && !isOwn };
  });
  return {
    removed: [
      ...slots.filter(({ isAdded }) => isAdded),
      ...named.map(([map, slot]) => ({ map, slot, isDeleted: false })),
    ],
    released: slots.filter(({ isReleased }) => isReleased),
    kept: slots.filter(({ isAdded, isReleased }) => !isAdded && !isReleased).map(({ slot }) => slot),
  };
}

/** The desired state, including the slots that go back to what they were. */
export function withReleased<T extends object>(desired: T, released: readonly ReleasedSlot[]): T {
  const result = { ...desired } as Record<string, unknown>;
  for (const { map, slot, before } of released) result[map] = { ...(result[map] as object | null), [slot]: before };
  return result as T;
}

/** The planned state, including the slots that go back to what they were. */
export function plannedWithReleased<T extends object>(
  context: Pick<GuestPlan, "kind" | "leaving" | "privateState" | "prior"> & { readonly planned: T },
): T {
  const { prior, planned } = context;
  return prior === null ? planned : withReleased(planned, leavingSlots(context, prior, planned).released);
}

/** A volume that keeps its data wherever it is: the next guest waits for it. */
const isOutliving = (device: unknown, { vmid }: GuestState): boolean =>
  isMembers(device) && typeof device["volume"] === "string" && isForeign(device["volume"], vmid);

const isDeleted = (device: unknown): boolean => isMembers(device) && device["on_remove"] === "delete";

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
  if (!isMembers(a) || !isMembers(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isEqual(a[name], b[name]));
}
