import {
  Failure,
  isPveError,
  type Members,
  type Observed,
  parseWired,
  type RawConfig,
  type WiredAttribute,
} from "#kit";
import { addressOf } from "../address.ts";
import type { GuestAttributes } from "../attributes.ts";
import type { GuestBefore, NewGuest } from "../context.ts";
import { haOptions } from "../ha-options.ts";
import { forgetOptions, shownRemovals } from "../removed-options.ts";
import { readArchive } from "./archive.ts";
import { findGuestToChange } from "./find.ts";
import { sidOf } from "./ha.ts";
import { findSource } from "./source.ts";

type Before = Partial<Observed<GuestAttributes>>;

/** The guest without the arguments that take effect now: a plain copy, nothing, or the guest as it is. */
export async function guestBefore(context: GuestBefore): Promise<Before> {
  return context.prior === null ? beforeCreate(context) : beforeUpdate(context);
}

async function beforeCreate(context: GuestBefore): Promise<Before> {
  const { kind, api, desired, handover: made } = context;
  if (made === undefined) return {};
  if (made.isAdopted) return beforeUpdate(context);
  const outside = { pool: null, ha: null };
  if (!desired.clone && !desired.restore) {
    const empty = parseWired(kind.settings, kind.draft(api, await kind.startConfig(context, made.node)));
    return { ...(withoutAssigned(kind.settings, empty) as Before), ...outside };
  }
  const copied = await copiedConfig(context, made);
  if (copied === null) return {};
  // The call set the name, the description and the protection; all other options are those of the source or generated. An
  // interrupted run may have set more.
  const draft = kind.draft(api, made.isFresh ? made.config.options : copied);
  for (const option of [kind.nameOption, "description", "protection"]) draft.set(option, copied[option] ?? null);
  const members = parseWired(kind.settings, draft);
  return { ...((made.isFresh ? members : withoutAssigned(kind.settings, members)) as Before), ...outside };
}

/** The configuration that a copy starts with. Null: its source is gone. */
async function copiedConfig(context: GuestBefore, { node }: NewGuest): Promise<RawConfig | null> {
  const { kind, desired } = context;
  if (desired.clone) {
    const source = await findSource(context, desired.clone.template);
    return source && kind.clonedConfig(source, desired.clone.storage);
  }
  const reading = readArchive(context, node, desired.restore?.archive ?? "");
  const archive = await reading.catch((reason: unknown) => {
    if (reason instanceof Failure || isPveError(reason)) return null;
    throw reason;
  });
  return archive && kind.restore.config(archive, desired);
}

async function beforeUpdate(context: GuestBefore): Promise<Before> {
  const { kind, api, id, config, prior, signal } = context;
  const found = await findGuestToChange(context, id.vmid);
  if (found === null || found.config === null) return {};
  const isNewToHa = config.ha && !prior?.ha;
  const ha = isNewToHa ? haOptions(await api.ha.find(sidOf(kind, id.vmid), { signal })) : prior?.ha;
  const draft = kind.draft(api, found.config.options);
  forgetOptions(draft, await shownRemovals(context, addressOf(found), found.config));
  const members = parseWired(kind.settings, draft) as Before;
  return { ...members, pool: found.pool ?? null, ha: (ha ?? null) as Exclude<Before["ha"], undefined> };
}

/** Without the values that PVE generates for each guest, where they are another guest's. */
function withoutAssigned(attributes: Readonly<Record<string, WiredAttribute>>, members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      const attribute = attributes[name];
      if (!attribute || attribute.assigned) return [];
      return [[name, inside(attribute, value)]];
    }),
  );
}

function inside({ type: { shape } }: Pick<WiredAttribute, "type">, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (shape.kind === "nested") return withoutAssigned(shape.attributes, value as Members);
  if (shape.kind !== "map") return value;
  return Object.fromEntries(
    Object.entries(value).map(([slot, device]) => [slot, inside({ type: shape.element }, device)]),
  );
}
