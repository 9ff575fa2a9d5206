import {
  bool,
  defineAction,
  enumerate,
  Failure,
  isPveError,
  notFound,
  parseDuration,
  quote,
  runTask,
  type Session,
  set,
  string,
  within,
} from "#kit";
import { bandwidthLimit, compression, compressionCode, mode, notesTemplate, vmid } from "./options.ts";

/** A guest whose disks are being read shows progress in the log, but a snapshot or a shutdown before it does not. */
const patienceMs = 60 * 60_000;

/** `proxmox_backup`. Server side: pve-manager `PVE/API2/VZDump.pm`, `PVE/VZDump.pm`. */
export const backupAction = defineAction({
  type: "proxmox_backup",
  subcategory: "Backup",
  verb: "back up",
  label: ({ vmids, pool }) => (Array.isArray(vmids) ? `guests ${vmids.join(", ")}` : `pool ${String(pool)}`),
  doc: "Backs guests up at once, and waits until all are. Guests of different nodes are backed up at the same time. Unlike a backup job, it removes no older backup unless `remove` is set. Needs `VM.Backup` on the guests and `Datastore.AllocateSpace` on the storage.",
  attributes: {
    vmids: {
      type: set(vmid, { min: 1 }),
      mode: "optional",
      doc: "VMIDs of the guests. Exactly one of `vmids` and `pool` must be given.",
    },
    pool: { type: string(), mode: "optional", doc: "The guests of this pool." },
    storage: { type: string(), mode: "required", doc: "Storage for the backups, with content `backup`." },
    mode,
    compression: { ...compression, doc: `${compression.doc.replace("Left out: `none`.", "Left out: `zstd`.")}` },
    notes_template: notesTemplate,
    protected: {
      type: bool(),
      mode: "optional",
      doc: "Whether the backups are protected from being removed. Default: no.",
    },
    remove: {
      type: bool(),
      mode: "optional",
      doc: "Whether older backups of these guests are removed then, as the storage's `prune` says. Default: no; a guest that has as many as the storage keeps is refused another one.",
    },
    bandwidth_limit: bandwidthLimit,
    timeout: {
      type: string({
        check: (text) => (parseDuration(text) === null ? "Must be a duration such as `30m` or `2h`." : undefined),
      }),
      mode: "optional",
      doc: "How long all of it may take; what is not complete then is stopped. Default: `12h`.",
    },
  },

  validate({ config, report }) {
    if ((config.vmids === null) === (config.pool === null)) {
      report.error(null, "Which guests", "Exactly one of `vmids` and `pool` must be given.");
    }
  },

  async invoke(context) {
    const { config } = context;
    const limit = config.timeout ?? "12h";
    const late = {
      summary: "The backup is not complete",
      detail: `It was not within ${limit}. Its tasks were stopped, and their incomplete archives removed.`,
    };
    const request = {
      storage: config.storage,
      compress: compressionCode.print(config.compression ?? "zstd"),
      remove: config.remove ?? false,
      ...(config.mode && { mode: config.mode }),
      ...(config.notes_template && { "notes-template": config.notes_template }),
      ...(config.protected && { protected: true }),
      ...(config.bandwidth_limit && { bwlimit: config.bandwidth_limit }),
    };
    await within(context, limit, late, async (context) => {
      const { api, signal, progress } = context;
      const failures: string[] = [];
      const byNode = await guestsByNode(api, config);
      const runs = [...byNode].map(async ([node, vmids]) => {
        const label = `Node ${node}`;
        const submit = () => api.backup.start(node, { ...request, vmid: vmids.join(",") }, { signal });
        const seen = (line: string) => failures.push(...failuresIn(line));
        await runTask(context, { label, what: `back up ${vmids.join(", ")} on ${node}`, submit, patienceMs, seen });
        progress(`${label}: ${enumerate(vmids.map(String))} backed up`);
      });
      const rejected = (await Promise.allSettled(runs)).flatMap((run) =>
        run.status === "rejected" ? [run.reason] : [],
      );
      if (rejected.length === 0) return;
      const isTask = rejected.every((reason) => isPveError(reason, "task")) && failures.length > 0;
      if (!isTask || signal.aborted) throw rejected[0];
      const detail = `${failures.map(quote).join("\n")}\n\nAll other guests were backed up.`;
      throw new Failure("Some guests were not backed up", detail, { cause: rejected[0] });
    });
  },
});

interface Selection {
  readonly vmids?: readonly number[] | null;
  readonly pool?: string | null;
}

/** PVE backs up guests of one node at a time. */
async function guestsByNode(api: Session, { vmids, pool }: Selection): Promise<Map<string, number[]>> {
  api.inventory.forgetIfChanged();
  const { guests, pools } = await api.inventory.snapshot();
  if (vmids) {
    const missing = vmids.find((id) => !guests.has(id));
    if (missing !== undefined) {
      throw notFound({ kind: "guest", name: String(missing), path: "vmids" }, [...guests.keys()].map(String));
    }
  } else if (pool && !pools.includes(pool)) {
    throw notFound({ kind: "pool", name: pool, path: "pool" }, pools);
  }
  const wanted = [...guests.values()].filter((guest) => (vmids ? vmids.includes(guest.vmid) : guest.pool === pool));
  if (wanted.length === 0) throw new Failure("Pool is empty", `No guest is in pool \`${pool}\`.`, { path: "pool" });
  const byNode = Map.groupBy(wanted, ({ node }) => node);
  return new Map([...byNode].map(([node, all]) => [node, all.map(({ vmid: id }) => id).sort((a, b) => a - b)]));
}

/** The task as a whole only says `job errors`. */
function failuresIn(line: string): string[] {
  const [, id, reason] = /^ERROR: Backup of VM (\d+) failed - (.*)$/.exec(line) ?? [];
  return id === undefined ? [] : [`Guest ${id}: ${reason}`];
}
