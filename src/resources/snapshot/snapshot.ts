import {
  attachmentsOf,
  bool,
  defineResource,
  Failure,
  findSnapshot,
  int,
  isComplete,
  notFound,
  nullable,
  removeSnapshot,
  repeatableWrite,
  string,
  takeSnapshot,
  timestamp,
  trackCreate,
} from "#kit";
import { existing, locateOwn, locatePlanned, parseSnapshotId, snapshotType } from "./guest-snapshot.ts";
import { planSnapshot } from "./plan-snapshot.ts";

/** PVE's `configid`, without the names that it uses itself (pve-guest-common: src/PVE/AbstractConfig.pm). */
const checkName = (name: string): string | undefined => {
  if (!/^[A-Za-z][\w-]{1,39}$/.test(name))
    return "Must be 2 to 40 letters, digits, `_` and `-`, beginning with a letter.";
  return ["current", "pending", "vzdump"].includes(name)
    ? "Must not be a name that Proxmox VE uses itself."
    : undefined;
};

/** `proxmox_snapshot`. Server side: pve-guest-common `src/PVE/AbstractConfig.pm`, `snapshot_create` and below. */
export const snapshot = defineResource({
  type: snapshotType,
  subcategory: "Backup",
  doc: "A snapshot of a VM or a container that exists as long as the resource does. It is no backup: it is on the same storage. While a guest has snapshots, some changes of its disks are refused. To go back to one, use the action `proxmox_vm_rollback`, or Rollback in the web interface; to take one before each change, use `before_change` of the guest.",
  label: ({ vmid, name }) => (vmid === undefined ? "snapshot" : `snapshot ${String(name)} of guest ${String(vmid)}`),
  identity: ["vmid", "name"],
  attributes: {
    vmid: { type: int({ min: 100, max: 999_999_999 }), mode: "required", replace: true, doc: "VMID of the guest." },
    name: {
      type: string({ check: checkName }),
      mode: "required",
      replace: "A snapshot cannot be renamed: it is removed, and another one is taken of the guest as it is then.",
      doc: "Name of the snapshot. Another name is another snapshot, of the guest as it is then.",
    },
    // PVE removes white space at the end, or adds a line feed.
    description: {
      type: string({ same: (a, b) => a.trimEnd() === b.trimEnd() }),
      mode: "optional",
      doc: "A description. It can be changed at any time.",
    },
    memory: {
      type: bool(),
      mode: "optional",
      local: true,
      replace: { when: "if the snapshot is of the other kind, with or without memory" },
      doc: "Whether the memory of a running VM is saved as well, so that a rollback resumes it. A VM that is stopped has none, and containers cannot. Left out: it is not.",
    },
    has_memory: {
      type: bool(),
      mode: "computed",
      keep: true,
      instead: "Set `memory`.",
      doc: "Whether it has the memory of the VM.",
    },
    parent: {
      type: nullable(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      doc: "The snapshot that it is based on; null for the first one.",
    },
    created: { type: string(), mode: "computed", keep: true, doc: "When it was taken, as RFC 3339 text." },
  },

  plan: (context) => (context.api === undefined ? undefined : planSnapshot(context, context.api)),

  async create({ api, desired, signal, created }) {
    const id = { vmid: desired.vmid, name: desired.name };
    const guest = await locatePlanned(api, id.vmid);
    if (guest === null) {
      const { guests } = await api.inventory.snapshot();
      throw notFound({ kind: "guest", name: String(id.vmid), path: "vmid" }, [...guests.keys()].map(String));
    }
    const found = await findSnapshot(api, guest, id.name, signal);
    if (found !== null && isComplete(found)) {
      const { summary, detail } = existing(id);
      throw new Failure(summary, detail, { path: "name" });
    }
    if (found !== null) await removeSnapshot({ api, guest, signal }, id.name);
    const label = `snapshot ${id.name} of guest ${id.vmid}`;
    await trackCreate({ created }, { id, label }, () => takeSnapshot({ api, guest, signal }, desired));
    return id;
  },

  async read({ api, id, signal }) {
    const guest = await locateOwn(api, id.vmid, signal);
    const found = guest && (await findSnapshot(api, guest, id.name, signal));
    if (!found) return null;
    return {
      ...id,
      description: found.description?.trimEnd() || null,
      has_memory: found.vmstate ?? false,
      parent: found.parent ?? null,
      created: timestamp(found.snaptime ?? 0),
    };
  },

  async update({ api, id, desired, signal }) {
    const guest = await locateOwn(api, id.vmid, signal);
    if (guest === null || (await findSnapshot(api, guest, id.name, signal)) === null) {
      const what = guest === null ? `Guest ${id.vmid}` : `Snapshot \`${id.name}\` of guest ${id.vmid}`;
      throw new Failure("Snapshot is gone", `${what} does not exist any more. Plan again, without \`-refresh=false\`.`);
    }
    if (desired.description === undefined) return;
    const description = desired.description ?? "";
    const calls = guest.type === "qemu" ? api.snapshots : api.containerSnapshots;
    const submit = async () => {
      await calls.describe(guest, id.name, description, { signal });
      return null;
    };
    const operation = { what: `describe snapshot ${id.name} of guest ${id.vmid}`, submit, signal };
    await repeatableWrite(api, { write: () => api.operations.run(guest, operation), signal });
  },

  planDelete({ api, id }) {
    if (api) attachmentsOf(api).dropSnapshot(id.vmid, id.name);
  },

  async delete({ api, id, signal }) {
    const attachments = attachmentsOf(api);
    await attachments.work.during(async () => {
      const guest = await locateOwn(api, id.vmid, signal);
      if (guest !== null) await removeSnapshot({ api, guest, signal }, id.name);
      await attachments.changed(id.vmid);
    });
  },

  import({ id }) {
    const parsed = parseSnapshotId(id);
    if (parsed !== null) return parsed;
    throw new Failure(
      "Not the ID of a snapshot",
      `\`${id}\` is not of the form VMID/NAME, such as \`101/before-upgrade\`.`,
    );
  },
});
