import {
  alreadyExists,
  bool,
  checkPrivileges,
  defineResource,
  enumerate,
  Failure,
  int,
  isGranted,
  isPveError,
  lengthBetween,
  oneOf,
  type PlanContext,
  permissionsOf,
  provenWrite,
  type Session,
  step,
  string,
  withDigest,
} from "#kit";
import { untilManagerActs } from "../guest/ha-manager.ts";
import { haChange, haOptions, resourcesIn } from "../guest/ha-options.ts";
import { haNeeds } from "./ha-needs.ts";

const type = "proxmox_ha_resource";

const attributes = {
  sid: {
    type: string({ check: (sid) => (parseSid(sid) ? undefined : sidHint) }),
    mode: "required",
    wire: "sid",
    replace: true,
    doc: "The guest: `vm:` or `ct:` and its VMID, such as `vm:100`.",
  },
  state: {
    type: oneOf(["started", "stopped", "disabled", "ignored"]),
    mode: "optional_computed",
    wire: "state",
    keep: true,
    doc: "What the manager keeps the guest in: `started`, `stopped` (but moved to another node if its own fails), `disabled` (stopped and left where it is; the way out of an error), or `ignored` (not touched at all). Left out: `started` for a new one; otherwise what it is, since starting and stopping the guest changes it.",
  },
  max_restart: {
    type: int({ min: 0 }),
    mode: "optional",
    wire: "max_restart",
    doc: "Attempts to start the guest again on the same node. Left out: Proxmox VE's default, one.",
  },
  max_relocate: {
    type: int({ min: 0 }),
    mode: "optional",
    wire: "max_relocate",
    doc: "Attempts to start it on other nodes. Left out: Proxmox VE's default, one.",
  },
  failback: {
    type: bool(),
    mode: "optional",
    wire: "failback",
    doc: "Whether the guest goes back when a node with a higher priority in a rule returns. Left out: it does.",
  },
  comment: { type: string({ check: lengthBetween(1, 4096) }), mode: "optional", wire: "comment", doc: "A comment." },
} as const;

type ResourcePlan = PlanContext<typeof attributes, object, Session>;

/** `proxmox_ha_resource`. Server side: pve-ha-manager `src/PVE/API2/HA/Resources.pm`. */
export const haResource = defineResource({
  type,
  doc: "A guest that the HA manager watches over: it is restarted, or started on another node, when it or its node fails. For a VM that Terraform makes, `ha` of `proxmox_vm` does the same; use one of the two. HA groups are gone in Proxmox VE 9: where guests may run, and which of them together or apart, is said by `proxmox_ha_rule`. Needs `Sys.Console` and `Sys.Audit` on `/`.",
  attributes,
  identity: ["sid"],
  label: ({ sid }) => `HA resource "${sid}"`,

  async plan(context) {
    const { api, prior } = context;
    if (api && prior) api.managed.add(type, prior.sid);
    if (prior === null && context.config.state === null) context.set("state", "started");
    if (api && (prior === null || context.changes.size > 0)) {
      await planOnCluster(context, api);
    }
  },

  async planDelete(context) {
    const { api, report } = context;
    if (api) await checkPrivileges({ report, api, needs: haNeeds });
  },

  async create({ api, desired, signal }) {
    const { sid } = desired;
    const given = { ...haChange(desired, null), sid };
    const isDone = async () => (await api.ha.find(sid, { signal })) !== null;
    try {
      await provenWrite(api, { write: () => api.ha.create(given, { signal }), isDone, signal });
    } catch (reason) {
      if (!isPveError(reason, "exists")) throw reason;
      const { summary, detail } = resourceExists(sid);
      throw new Failure(summary, detail, { path: "sid", cause: reason });
    }
    api.inventory.forget();
    return { sid };
  },

  async read({ api, id: { sid }, purpose, signal }) {
    const isWritten = purpose === "create" || purpose === "update";
    const found = isWritten
      ? await api.ha.find(sid, { signal })
      : (await resourcesIn(api, await api.inventory.snapshot())).get(sid);
    const options = haOptions(found);
    if (options === null) return null;
    api.managed.add(type, sid);
    return { sid, ...options };
  },

  async update({ api, desired, prior, id: { sid }, signal }) {
    const { sid: _, ...wanted } = desired;
    const { state } = wanted;
    const isDone = async () => haOptions(await api.ha.find(sid, { signal }))?.state === (state ?? prior.state);
    await withDigest(
      api,
      () => api.ha.get(sid, { signal }),
      (now) => {
        const change = { ...haChange(wanted, now), digest: now.digest };
        return provenWrite(api, { write: () => api.ha.update(sid, change, { signal }), isDone, signal });
      },
    );
    api.inventory.forget();
  },

  /** Out of the configuration it is at once; the manager lets go of the guest in its next round. */
  async delete({ api, log, id: { sid }, signal }) {
    const vmid = parseSid(sid)?.vmid ?? 0;
    const isDone = async () => (await api.ha.find(sid, { signal })) === null;
    await step(log, "leave HA", { vmid }, async () => {
      await provenWrite(api, { write: () => removed(api.ha.remove(sid, { signal })), isDone, signal });
      api.inventory.forget();
      const isForgotten = async () => (await api.inventory.snapshot()).guests.get(vmid)?.hastate === undefined;
      await untilManagerActs({ api, signal }, { node: "", vmid }, "to forget the guest", isForgotten);
    });
  },
});

/** What somebody else has taken out already is out. */
async function removed(removal: Promise<unknown>): Promise<void> {
  await removal.catch((reason: unknown) => {
    if (!isPveError(reason, "not_found")) throw reason;
  });
}

function parseSid(sid: string): { readonly kind: "vm" | "ct"; readonly vmid: number } | null {
  const [, kind, vmid] = /^(vm|ct):([1-9]\d{2,8})$/.exec(sid) ?? [];
  return kind === undefined ? null : { kind: kind as "vm" | "ct", vmid: Number(vmid) };
}

const sidHint = 'Must be "vm:" or "ct:" and a VMID, such as "vm:100".';

const resourceExists = (sid: string) =>
  alreadyExists({
    type,
    id: sid,
    label: `HA resource "${sid}"`,
    otherwise:
      "If `ha` of a `proxmox_vm` has put it there, it belongs to that one: remove this resource, or `ha` over there.",
  });

async function planOnCluster(context: ResourcePlan, api: Session): Promise<void> {
  const { config, prior, report } = context;
  await checkPrivileges({ report, api, needs: haNeeds });
  if (!config.sid || report.failed) return;
  if (api.planned.has("ha_resource", config.sid)) {
    report.error(
      "sid",
      "Two owners",
      `\`ha\` of a \`proxmox_vm\` manages "${config.sid}" already. Remove this resource, or \`ha\` over there.`,
    );
  }
  if (prior !== null) return;
  await checkGuest(context, api, config.sid);
  if (report.failed || api.managed.has(type, config.sid) || (await api.ha.find(config.sid)) === null) return;
  const { summary, detail } = resourceExists(config.sid);
  report.error("sid", summary, detail);
}

/** PVE takes guests only that exist, and by their right kind. Who may not see a guest cannot tell that it is missing. */
async function checkGuest({ report }: ResourcePlan, api: Session, sid: string): Promise<void> {
  const wanted = parseSid(sid);
  if (wanted === null || api.planned.has("vm", wanted.vmid)) return;
  const guest = await locate(api, wanted.vmid);
  if (guest !== null) {
    const kind = guest.type === "lxc" ? "ct" : "vm";
    if (kind === wanted.kind) return;
    const what = kind === "ct" ? "container" : "VM";
    report.error("sid", "Another kind of guest", `${wanted.vmid} is a ${what}: write \`${kind}:${wanted.vmid}\`.`);
    return;
  }
  const permissions = await permissionsOf(api);
  if (permissions !== null && !isGranted(permissions, `/vms/${wanted.vmid}`, "VM.Audit")) return;
  const { guests } = await api.inventory.snapshot();
  const known = [...guests.values()].map(({ vmid, type: kind }) => `${kind === "lxc" ? "ct" : "vm"}:${vmid}`);
  report.error("sid", "No such guest", `There is no guest ${wanted.vmid}. There is ${enumerate(known.slice(0, 10))}.`);
}

/** A guest that was not there at the last look may have been made since. */
async function locate(api: Session, vmid: number) {
  const guest = await api.inventory.locate(vmid);
  if (guest !== null) return guest;
  api.inventory.forget();
  return api.inventory.locate(vmid);
}
