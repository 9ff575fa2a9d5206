import {
  alreadyExists,
  checkPrivileges,
  type Desired,
  defineResource,
  enumerate,
  Failure,
  isPveError,
  matches,
  oneOf,
  type PlanContext,
  provenWrite,
  type Session,
  string,
  type ValidateContext,
  withDigest,
} from "#kit";
import type { Mapping } from "#pve";
import { parseEntry, printEntry } from "./map-entry.ts";
import { kindAttributes, linesOf, type MappingType, mappingTypes, parseKind } from "./mapping-kinds.ts";

const type = "proxmox_hardware_mapping";

const attributes = {
  name: {
    type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
    mode: "required",
    wire: "id",
    replace: true,
    doc: "Name of the mapping in the whole cluster: what `mapping` of a VM's `pci`, `usb` or `virtiofs` device takes.",
  },
  type: {
    type: oneOf(mappingTypes),
    mode: "computed",
    keep: true,
    replace: true,
    doc: "Which of the three it is: `pci`, `usb` or `dir`.",
  },
  comment: {
    type: string({ check: matches(/^\S([^\n]*\S)?$/, "one line that is not blank") }),
    mode: "optional",
    wire: "description",
    doc: "A comment.",
  },
  ...kindAttributes,
} as const;

type Attributes = typeof attributes;
type Id = { readonly type: MappingType; readonly name: string };
type MappingPlan = PlanContext<Attributes, object, Session>;

const idOf = (id: Id): string => `${id.type}/${id.name}`;

/** `proxmox_hardware_mapping`. Server side: pve-manager `PVE/API2/Cluster/Mapping/*.pm`. */
export const hardwareMapping = defineResource({
  type,
  doc: "A device or a directory that has one name in the whole cluster and a place on each node, so that VMs can use it wherever they are, and so that tokens may pass it through, which raw devices are not for. Needs `Mapping.Modify` on `/mapping/pci`, `/mapping/usb` or `/mapping/dir`.",
  attributes,
  identity: ["type", "name"],
  label: ({ name }) => `hardware mapping "${name}"`,

  validate,

  async plan(context) {
    const { api, config, prior } = context;
    const kind = typeIn(config);
    if (kind === undefined) context.setUnknown("type");
    else if (kind !== null) context.set("type", kind);
    if (api && prior?.type) api.managed.add(type, idOf({ type: prior.type, name: prior.name }));
    if (api && kind && (prior === null || context.changes.size > 0)) {
      await planOnCluster(context, api, kind);
    }
  },

  async planDelete(context) {
    const { api, id, report } = context;
    if (api) await checkPrivileges({ report, api, needs: needs(`/mapping/${id.type}`) });
  },

  async create({ api, desired, signal }) {
    const id = { type: typeIn(desired) as MappingType, name: desired.name };
    const calls = api.mappings[id.type];
    const values = { ...valuesOf(desired).set, map: linesOf(desired) };
    const isDone = async () => isSame(await calls.find(id.name, { signal }), desired);
    try {
      await provenWrite(api, { write: () => calls.create(id.name, values, { signal }), isDone, signal });
    } catch (reason) {
      if (!isPveError(reason, "exists")) throw reason;
      const { summary, detail } = mappingExists(id);
      throw new Failure(summary, detail, { path: "name", cause: reason });
    }
    return id;
  },

  async read({ api, id, signal }) {
    const found = await api.mappings[id.type].find(id.name, { signal });
    if (found === null) return null;
    api.managed.add(type, idOf(id));
    const flags = { mdev: flagIn(found, "mdev"), live_migration_capable: flagIn(found, "live-migration-capable") };
    const kind = parseKind(id.type, (found.map ?? []).map(parseEntry), flags);
    return { ...kind, ...id, comment: found.description ?? null };
  },

  async update({ api, desired, id, signal }) {
    const calls = api.mappings[id.type];
    const { set, unset } = valuesOf(desired);
    const map = linesOf(desired);
    const isDone = async () => isSame(await calls.find(id.name, { signal }), desired);
    const read = () => calls.get(id.name, { signal });
    await withDigest(api, read, async (now) => {
      const emptied = unset.filter((option) => now[option] !== undefined);
      const change = { ...set, ...(emptied.length > 0 && { delete: emptied }), digest: now.digest, map };
      await provenWrite(api, { write: () => calls.update(id.name, change, { signal }), isDone, signal });
    });
  },

  async delete({ api, id, signal }) {
    const calls = api.mappings[id.type];
    const isDone = async () => (await calls.find(id.name, { signal })) === null;
    await provenWrite(api, { write: () => calls.remove(id.name, { signal }), isDone, signal });
  },

  async import({ id }) {
    const [, kind, name] = /^(dir|pci|usb)\/([^/]+)$/.exec(id) ?? [];
    if (kind !== undefined && name !== undefined) return { type: kind as MappingType, name };
    throw new Failure("Not the ID of a mapping", `\`${id}\` is not a type and a name such as \`pci/gpu\`.`);
  },
});

function validate({ config, report }: ValidateContext<Attributes>): void {
  const given = mappingTypes.filter((kind) => config[kind] !== null);
  const isSure = mappingTypes.every((kind) => config[kind] !== undefined);
  if (given.length === 1 || !isSure) return;
  const told = given.length === 0 ? "none is" : `${enumerate(given)} are`;
  report.error(null, "One kind of mapping", `Exactly one of \`pci\`, \`usb\` and \`dir\` must be given, and ${told}.`);
}

/** Undefined: not known yet. Null: none, or several. */
function typeIn(config: { readonly [kind in MappingType]: unknown }): MappingType | null | undefined {
  if (mappingTypes.some((kind) => config[kind] === undefined)) return undefined;
  const [only, ...others] = mappingTypes.filter((kind) => config[kind] !== null);
  return only === undefined || others.length > 0 ? null : only;
}

/** Options besides the entries: those to set, and those that shall not be set any more. */
function valuesOf({ comment, pci }: Desired<Attributes>) {
  const options = {
    description: comment,
    mdev: pci?.mdev ?? null,
    "live-migration-capable": pci?.live_migration_capable ?? null,
  };
  const entries = Object.entries(options);
  return {
    set: Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    unset: entries.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}

/** Whether the mapping is what was asked for, so that a write without an answer was done. */
function isSame(found: Mapping | null, desired: Desired<Attributes>): boolean {
  if (found === null || (found.description ?? null) !== desired.comment) return false;
  const lines = (found.map ?? []).map((line) => printEntry(parseEntry(line)));
  return lines.join("\n") === linesOf(desired).join("\n");
}

function flagIn(mapping: Mapping, name: string): boolean | null {
  const value = mapping[name];
  return value === undefined ? null : value === 1 || value === "1" || value === true;
}

async function planOnCluster(context: MappingPlan, api: Session, kind: MappingType): Promise<void> {
  const { config, prior, report } = context;
  const { nodes } = await api.inventory.snapshot();
  for (const node of Object.keys(config[kind]?.nodes ?? {})) {
    if (nodes.has(node) || Object.hasOwn(prior?.[kind]?.nodes ?? {}, node)) continue;
    report.error(
      [kind, "nodes", node],
      "No such node",
      `There is no node \`${node}\`. There is ${enumerate(nodes.keys())}.`,
    );
  }
  await checkPrivileges({ report, api, needs: needs(`/mapping/${kind}`) });
  if (prior !== null || !config.name || report.failed) return;
  api.planned.add("mapping", config.name);
  const id = { type: kind, name: config.name };
  if (api.managed.has(type, idOf(id)) || (await api.mappings[kind].find(config.name)) === null) return;
  const { summary, detail } = mappingExists(id);
  report.error("name", summary, detail);
}

const needs = (path: string) => [{ privileges: ["Mapping.Modify"], paths: [path], attribute: null }];

const mappingExists = (id: Id) =>
  alreadyExists({ type, id: idOf(id), label: `Mapping "${id.name}"`, otherwise: "Otherwise choose another `name`." });
