import { alternatives, bpg, bytesOf, defineCrud, int, matches, number, oncePerRun, oneOf, sizeOf, string } from "#kit";
import { cephNode } from "./ceph-node.ts";

/** Zero unsets an option of a pool: Ceph has no other way. */
const orZero = (wire: string) =>
  ({
    wire,
    as: { parse: (raw: unknown) => (Number(raw) === 0 ? null : raw), print: (value: unknown) => value },
    custom: {
      patch: (draft: { set(option: string, value: string | number): void }, value: unknown) =>
        value === null && draft.set(wire, 0),
    },
  }) as const;

const kept = { mode: "optional_computed", keep: true } as const;

/** `proxmox_ceph_pool`. Server side: pve-manager `PVE/API2/Ceph/Pool.pm`. */
export const cephPool = defineCrud({
  type: "proxmox_ceph_pool",
  subcategory: "Cluster",
  doc: "A pool of the Ceph cluster that runs on the nodes. `proxmox_storage` with `rbd` makes it a storage. **Destroying a pool destroys its data.** Proxmox VE refuses to destroy a pool that a storage uses.",
  noun: "Ceph pool",
  path: "/nodes/{node}/ceph/pool/{name}",
  file: "the Ceph pools",
  identity: ["name"],
  movedFrom: [
    bpg("ceph_pool", {
      name: "name",
      size: "size",
      min_size: "min_size",
      pg_num: "pg_num",
      pg_autoscale_mode: "pg_autoscale_mode",
      crush_rule: "crush_rule",
      application: "application",
    }),
  ],
  isListOnly: true,
  places: async (api) => ({ node: await cephNode(api) }),
  listedId: ({ pool_name }) => ({ name: pool_name }),
  optionsIn: ({ pool_name, crush_rule_name, application_metadata, ...pool }) => ({
    ...pool,
    name: pool_name,
    crush_rule: crush_rule_name,
    application: Object.keys((application_metadata ?? {}) as object)[0],
  }),
  attributes: {
    name: {
      type: string({ check: matches(/^[^:/\s]+$/, "a name without blanks, `:` and `/`") }),
      mode: "required",
      wire: "name",
      replace: true,
      doc: "Name of the pool.",
    },
    size: {
      type: int({ min: 1, max: 7 }),
      ...kept,
      wire: "size",
      doc: "Copies of each object, 1 to 7. Left out: 3 for a new pool; otherwise it stays as it is.",
    },
    min_size: {
      type: int({ min: 1, max: 7 }),
      ...kept,
      wire: "min_size",
      doc: "Copies that must be there to write, 1 to 7. Left out: 2 for a new pool; otherwise it stays as it is.",
    },
    pg_num: {
      type: int({ min: 1, max: 32_768 }),
      ...kept,
      wire: "pg_num",
      doc: "Placement groups. Left out: the autoscaler's number, which changes.",
    },
    pg_num_min: {
      type: int({ min: 1, max: 32_768 }),
      mode: "optional",
      ...orZero("pg_num_min"),
      doc: "Placement groups that the autoscaler keeps at least. Left out: none.",
    },
    pg_autoscale_mode: {
      type: oneOf(["on", "off", "warn"]),
      ...kept,
      wire: "pg_autoscale_mode",
      doc: "Whether the autoscaler changes `pg_num`, or warns. Left out: `warn` for a new pool; otherwise it stays as it is.",
    },
    crush_rule: {
      type: string({ check: matches(/^\S+$/, "the name of a rule") }),
      ...kept,
      wire: "crush_rule",
      doc: "CRUSH rule that places the data. Left out: Ceph's default for a new pool; otherwise it stays as it is.",
    },
    application: {
      type: oneOf(["rbd", "cephfs", "rgw"]),
      ...kept,
      wire: "application",
      doc: "What the pool is for. Left out: `rbd` for a new pool; otherwise it stays as it is.",
    },
    target_size: {
      type: string({
        check: matches(/^[1-9]\d*(\.\d+)?[KMGT]?$/, "a size such as `500G`"),
        same: (a, b) => bytesOf(a) === bytesOf(b),
      }),
      mode: "optional",
      ...orZero("target_size"),
      as: {
        parse: (raw: unknown) => (Number(raw) === 0 ? null : Number.isNaN(Number(raw)) ? raw : sizeOf(Number(raw))),
        print: (value: unknown) => value,
      },
      doc: "Size that the autoscaler expects, such as `500G`. Left out: none.",
    },
    target_size_ratio: {
      type: number({ min: 0.000_001 }),
      mode: "optional",
      ...orZero("target_size_ratio"),
      doc: "Share of the cluster that the autoscaler expects, in proportion to that of other pools. Left out: none.",
    },
  },

  validate({ config: { size, min_size }, report }) {
    if (!size || !min_size || min_size <= size) return;
    const detail = `\`min_size\` is ${min_size} and \`size\` is ${size}: the pool could never be written to.`;
    report.error("min_size", "More copies needed than there are", detail);
  },
  async plan({ config: { crush_rule: rule }, changes, report }, api) {
    if (!rule || !changes.has("crush_rule")) return;
    const known = await rules(api);
    if (known.has(rule)) return;
    const detail = `Ceph has no CRUSH rule \`${rule}\`. ${alternatives(rule, known)}`;
    report.error("crush_rule", "No such CRUSH rule", detail);
  },
});

const rules = oncePerRun(async (api) => {
  const listed = await api.collect("/nodes/{node}/ceph/rules", { node: await cephNode(api) });
  return new Set(listed.map(({ name }) => String(name)));
});
