import { type Members, type Observed, parseWired, type WiredAttribute } from "#kit";
import { haOptions } from "../../guest/ha-options.ts";
import { settings, type VmAttributes } from "../attributes.ts";
import type { VmBefore } from "../contexts.ts";
import { clonedConfig } from "../plan/predict.ts";
import { findVm } from "./find.ts";
import { markOf } from "./mark.ts";
import { findSource } from "./source.ts";

type Before = Partial<Observed<VmAttributes>>;

/** The VM without the lines of the configuration that take effect now: a plain clone, nothing, or the VM as it stands. */
export async function vmBefore(context: VmBefore): Promise<Before> {
  return context.prior === null ? beforeCreate(context) : beforeUpdate(context);
}

async function beforeCreate(context: VmBefore): Promise<Before> {
  const { api, desired, handover: made, signal } = context;
  if (made === undefined) return {};
  const isAdopted = !made.isFresh && markOf(made.config.description) === null;
  if (isAdopted) return beforeUpdate(context);
  const outside = { pool: null, ha: null };
  if (!desired.clone) return { ...told(parseWired(settings, api.draft({})), { isMadeUp: false }), ...outside };
  const source = await findSource(api, desired.clone.template, signal);
  if (source === null) return {};
  const cloned = clonedConfig(source, desired.clone.storage);
  // The call that made the clone set its name and its description; everything else is the template's, or its own. An
  // interrupted run may have set more.
  const draft = api.draft(made.isFresh ? made.config.options : cloned);
  for (const option of ["name", "description"]) draft.set(option, cloned[option] ?? null);
  return { ...told(parseWired(settings, draft), { isMadeUp: made.isFresh }), ...outside };
}

async function beforeUpdate({ api, id, config, prior, signal }: VmBefore): Promise<Before> {
  const found = await findVm(api, id.vmid, signal);
  if (found === null || found.config === null) return {};
  const isNewToHa = config.ha && !prior?.ha;
  const ha = isNewToHa ? haOptions(await api.ha.find(`vm:${id.vmid}`, { signal })) : prior?.ha;
  const settled = told(parseWired(settings, api.draft(found.config.options)), { isMadeUp: true });
  return { ...settled, pool: found.pool ?? null, ha: (ha ?? null) as Exclude<Before["ha"], undefined> };
}

/** Without what PVE makes up for each VM, where that is another VM's. */
function told(members: Members, { isMadeUp }: { readonly isMadeUp: boolean }): Before {
  return (isMadeUp ? members : withoutMadeUp(settings, members)) as Before;
}

function withoutMadeUp(attributes: Readonly<Record<string, WiredAttribute>>, members: Members): Members {
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
  if (shape.kind === "nested") return withoutMadeUp(shape.attributes, value as Members);
  if (shape.kind !== "map") return value;
  return Object.fromEntries(
    Object.entries(value).map(([slot, device]) => [slot, inside({ type: shape.element }, device)]),
  );
}
