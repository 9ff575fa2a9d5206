import {
  awaitReference,
  bool,
  bpg,
  checkPrivileges,
  createOnce,
  defineResource,
  Failure,
  int,
  movesFrom,
  string,
} from "#kit";
import { change, findMember, memberExists } from "./change-member.ts";
import { memberId, parseMemberId } from "./member-id.ts";
import { type MemberPrivateState, needsOf, planMember } from "./plan-member.ts";
import { poolName } from "./pool-name.ts";

const type = "proxmox_pool_member";

const attributes = {
  id: {
    type: string(),
    mode: "computed",
    keep: true,
    instead: "Set `pool`, and `vmid` or `storage`.",
    doc: "Pool and member in one line, `prod/vm/100` or `prod/storage/nas`: also the ID of an import.",
  },
  pool: { type: poolName, mode: "required", replace: true, doc: "Name of the pool, such as `prod`." },
  vmid: {
    type: int({ min: 100, max: 999_999_999 }),
    mode: "optional",
    replace: true,
    doc: "VMID of the VM or container. Exactly one of `vmid` and `storage` must be given.",
  },
  storage: { type: string(), mode: "optional", replace: true, doc: "Name of the storage." },
  allow_move: {
    type: bool(),
    mode: "optional",
    local: true,
    doc: "Whether a guest is taken out of another pool, since it can be in one only. Left out: it is not, and the plan says so.",
  },
} as const;

/** `proxmox_pool_member`. Server side: pve-manager `PVE/API2/Pool.pm`, `update_pool`. */
export const poolMember = defineResource({
  type,
  subcategory: "Cluster",
  doc: "One guest or storage in a pool. For guests that Terraform manages, `pool` of `proxmox_vm` does the same, and for all storages of a pool `storages` of `proxmox_pool`: use one of them. Destroying it takes the member out of the pool, and leaves the guest or the storage alone.",
  attributes,
  identity: ["id"],
  privateState: { replacing: null } as MemberPrivateState,
  label: ({ id, pool }) => (id || pool ? `member ${id ?? `of pool ${pool}`}` : "member of a pool"),
  moves: movesFrom({ attributes, identity: ["id"], noun: "member of a pool" }, [
    bpg("pool_membership", { id: "id", pool: "pool_id", vmid: "vm_id", storage: "storage_id" }),
  ]),

  validate({ config: { vmid, storage }, report }) {
    if (vmid === undefined || storage === undefined || (vmid === null) !== (storage === null)) return;
    report.error(null, "One member", "Exactly one of `vmid` and `storage` must be given.");
  },

  async plan(context) {
    const { api, planned, prior } = context;
    if (prior !== null) context.privateState.replacing = prior.id ?? null;
    const { pool, vmid = undefined, storage = undefined } = planned;
    if (pool === undefined || vmid === undefined || storage === undefined) return;
    const key = { pool, vmid, storage };
    if (prior === null) context.set("id", memberId(key));
    if (api) await planMember(context, api, key);
  },

  async planDelete({ api, id, report }) {
    const key = parseMemberId(id.id);
    if (api && key) await checkPrivileges({ report, api, needs: needsOf(key) });
  },

  async create({ api, desired, signal }) {
    const { pool, vmid, storage, allow_move: mayMove } = desired;
    const key = { pool, vmid, storage };
    await awaitReference(api, { kind: "pool", name: pool, signal });
    if (storage !== null) await awaitReference(api, { kind: "storage", name: storage, signal });
    await createOnce({
      api,
      signal,
      find: () => findMember(api, key, signal),
      make: () => change(api, key, { ...(mayMove && { "allow-move": true }) }, signal),
      exists: memberExists(key),
      path: null,
    });
    return { id: memberId(key) };
  },

  async read({ api, id, purpose, signal }) {
    const key = parseMemberId(id.id);
    if (key === null) throw new Failure("Invalid import ID", idForm(id.id));
    const isThere = await findMember(api, key, signal, purpose === "refresh");
    if (!isThere) return null;
    return { id: id.id, ...key };
  },

  async update() {},

  async delete({ api, id, signal }) {
    const key = parseMemberId(id.id);
    if (key === null || !(await findMember(api, key, signal))) return;
    await api.departures.during(() => change(api, key, { delete: true }, signal));
  },

  import({ id }) {
    const key = parseMemberId(id.trim());
    if (key === null) throw new Failure("Invalid import ID", idForm(id));
    return { id: memberId(key) };
  },
});

const idForm = (id: string): string =>
  `"${id}" is not of the form POOL/vm/VMID or POOL/storage/STORAGE, such as "prod/vm/100".`;
