import type { Attributes, Members, WiredAttribute } from "#kit";
import type { GuestPlan } from "../context.ts";

type Steps = readonly string[];

interface Place {
  readonly attributes: Attributes;
  readonly path: Steps;
  /** Null: not configured; undefined: not known yet. */
  readonly config: Members | null | undefined;
  readonly planned: Members | null | undefined;
  readonly predicted: Members | null | undefined;
}

/**
 * Fills in predictable values that are not configured, so that the plan shows what the guest will inherit. Values that
 * PVE generates (MAC addresses, volume names) stay "known after apply".
 */
export function fill(context: GuestPlan, place: Place): void {
  for (const [name, attribute] of Object.entries(place.attributes) as [string, WiredAttribute][]) {
    if (attribute.local || attribute.mode !== "optional_computed") continue;
    fillAttribute(context, attribute, {
      path: [...place.path, name],
      config: place.config === null ? null : place.config?.[name],
      planned: place.planned?.[name],
      predicted: place.predicted ? place.predicted[name] : null,
    });
  }
}

interface Value {
  readonly path: Steps;
  readonly config: unknown;
  readonly planned: unknown;
  readonly predicted: unknown;
}

function fillAttribute(context: GuestPlan, attribute: WiredAttribute, value: Value): void {
  const { path, config, planned, predicted } = value;
  if (config === null && planned === undefined) {
    if (!attribute.assigned && predicted !== undefined) settle(context, attribute, path, predicted);
    return;
  }
  // Removed arguments are undone in an object that is no longer configured: some of it may be unknown.
  const tree = config === null ? planned : config;
  const inner = innerOf(attribute);
  if (!inner || !isMembers(tree)) return;
  const places = attribute.slots ? Object.keys(tree).map((slot) => [slot]) : [[]];
  for (const steps of places) {
    const at = (tree: unknown) => steps.reduce<unknown>((node, key) => (isMembers(node) ? node[key] : undefined), tree);
    const part = at(tree);
    if (!isMembers(part)) continue;
    fill(context, {
      attributes: inner,
      path: [...path, ...steps],
      config: config === null ? null : part,
      planned: at(planned) as Members,
      predicted: (at(predicted) as Members | null | undefined) ?? null,
    });
  }
}

/** Sets a whole value, and marks the parts that cannot be predicted as unknown. */
function settle(context: GuestPlan, attribute: WiredAttribute, path: Steps, predicted: unknown): void {
  const unknown: Steps[] = [];
  context.set(path, complete(attribute, predicted, path, unknown));
  for (const place of unknown) context.setUnknown(place as string[]);
}

function complete(attribute: WiredAttribute, value: unknown, path: Steps, unknown: Steps[]): unknown {
  const inner = innerOf(attribute);
  if (!inner || !isMembers(value)) return value;
  if (attribute.slots) {
    const entries = Object.entries(value).map(([slot, device]) => [
      slot,
      completeObject(inner, device, [...path, slot], unknown),
    ]);
    return Object.fromEntries(entries);
  }
  return completeObject(inner, value, path, unknown);
}

function completeObject(attributes: Attributes, value: unknown, path: Steps, unknown: Steps[]): unknown {
  const members = isMembers(value) ? value : {};
  const entries = Object.entries(attributes) as [string, WiredAttribute][];
  return Object.fromEntries(
    entries.flatMap(([name, attribute]) => {
      if (attribute.local || attribute.writeOnly) return [];
      const here = [...path, name];
      const member = members[name];
      if (attribute.assigned || member === undefined) {
        unknown.push(here);
        return [[name, null]];
      }
      return [[name, complete(attribute, member, here, unknown)]];
    }),
  );
}

function innerOf({ type, slots }: WiredAttribute): Attributes | null {
  const { shape } = type;
  const object = slots && shape.kind === "map" ? shape.element.shape : shape;
  return object.kind === "nested" ? object.attributes : null;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
