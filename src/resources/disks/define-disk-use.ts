import { type Attributes, afterDestroyData, bool, defineResource, Failure, movesFrom, provenTask, string } from "#kit";
import { deviceText } from "./devices.ts";
import { existing } from "./existing.ts";
import type { DiskKind, Values } from "./kind.ts";
import { madeWith, planDiskUse, warnOfDestroy } from "./plan-disk-use.ts";

/** Formatting a large array takes long, and shows no progress. */
const patienceMs = 60 * 60_000;

/** PVE's `pve-storage-id`, so that a storage can have the same name. */
const checkName = (name: string): string | undefined =>
  /^[A-Za-z][\w.-]*[A-Za-z0-9]$/.test(name)
    ? undefined
    : "Must be a letter, then letters, digits, `-`, `_` or `.`, and a letter or digit at the end.";

/** What every use of disks has. */
const common = (noun: string, nameDoc: string) =>
  ({
    node: { type: string(), mode: "required", replace: true, doc: "Node that has the disks." },
    name: { type: string({ check: checkName }), mode: "required", replace: true, doc: nameDoc },
    destroy_data: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: `Whether destroying the resource destroys the ${noun} with all data in it, and wipes its disks so that they can be used again. It must be applied before. Left out: the ${noun} stays on the node as it is, and Terraform only forgets it.`,
    },
  }) as const;

/** Those that it is made with, in a kind's attributes: a change is refused, unless its data was given up. */
const replaceable = <A extends Attributes>(kind: DiskKind<A>): Attributes =>
  Object.fromEntries(
    Object.entries(kind.attributes).map(([name, attribute]) => [
      name,
      madeWith(kind).includes(name) ? { ...attribute, replace: afterDestroyData } : attribute,
    ]),
  );

/** A resource for one way to use disks of a node: it is made on the named disks, and never changed. */
export function defineDiskUse<const A extends Attributes>(kind: DiskKind<A>) {
  const { type, use, task, noun } = kind;
  const labelOf = ({ node, name }: Values) =>
    name === undefined ? noun : `${noun} ${String(name)} on ${String(node)}`;
  const attributes = { ...common(noun, kind.nameDoc), ...replaceable(kind) } as unknown as ReturnType<typeof common>;
  return defineResource({
    type,
    subcategory: "Storage",
    doc: `${kind.doc} Nothing of it can be changed later. A storage on it is a \`proxmox_storage\`.`,
    label: labelOf,
    identity: ["node", "name"],
    attributes,
    moves: movesFrom({ attributes, identity: ["node", "name"], noun }, kind.movedFrom ?? []),

    validate({ config, report }) {
      const given = config as Values;
      kind.validate?.(given, report);
      for (const device of kind.disksOf(given) ?? []) {
        const fault = deviceText(device);
        if (fault !== undefined) report.error([kind.disksAttribute], "Not a disk", `\`${device}\`: ${fault}`);
      }
    },
    plan: (context) => (context.api ? planDiskUse(kind, context as never, context.api) : undefined),
    planDelete: ({ api, state, report }) => (api ? warnOfDestroy(kind, state as Values, report, api) : undefined),

    async create({ api, desired, signal }) {
      const id = { node: desired.node, name: desired.name };
      const find = () => kind.find(api, id.node, id.name, signal);
      if ((await find()) !== null) {
        const { summary, detail } = existing(kind, id);
        throw new Failure(summary, detail, { path: "name" });
      }
      const request = { ...kind.request(desired as Values), name: id.name };
      await provenTask(api, {
        what: `make ${labelOf(id)}`,
        node: id.node,
        task: { type: `${task}create`, id: id.name },
        submit: () => api.nodeDisks.create(use, id.node, request, { signal }),
        findMark: async () => ((await find()) === null ? "absent" : "ours"),
        patienceMs,
        signal,
      });
      return id;
    },

    async read({ api, id, signal }) {
      const found = await kind.find(api, id.node, id.name, signal);
      if (found === null) return null;
      return { ...id, ...found } as never;
    },

    /** Only what Terraform alone knows can change. */
    async update() {},

    async delete({ api, id, state, signal }) {
      const find = () => kind.find(api, id.node, id.name, signal);
      if (state.destroy_data !== true || (await find()) === null) return;
      const request = { ...kind.removal?.(state as Values), "cleanup-disks": true };
      await provenTask(api, {
        what: `destroy ${labelOf(id)}`,
        node: id.node,
        task: { type: `${task}remove`, id: id.name },
        submit: () => api.nodeDisks.remove(use, id.node, id.name, request, { signal }),
        findMark: async () => ((await find()) === null ? "ours" : "absent"),
        patienceMs,
        signal,
      });
    },

    import({ id }) {
      const [, node, name] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
      if (name !== undefined && node !== undefined) return { node, name };
      throw new Failure(`Not the ID of a ${noun}`, `\`${id}\` is not of the form NODE/NAME, such as \`pve1/tank\`.`);
    },
  });
}
