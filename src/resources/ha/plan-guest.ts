import { alternatives, canAudit, type Report, type Session } from "#kit";
import { parseSid } from "./sid.ts";

interface Plan {
  readonly config: { readonly sid?: string | undefined };
  readonly prior: object | null;
  readonly report: Report<"sid">;
}

/** Refuses a guest that `ha` of a VM manages, that does not exist, or that is of the other kind. */
export async function planGuest({ config: { sid }, prior, report }: Plan, api: Session): Promise<void> {
  if (!sid) return;
  if (api.planned.has("ha_resource", sid)) {
    const detail = `\`ha\` of a \`proxmox_vm\` manages "${sid}" already. Remove this resource, or \`ha\` of the VM.`;
    report.error("sid", "Two owners", detail);
  }
  if (prior === null) await checkGuest(report, api, sid);
}

/** PVE takes only guests that exist, and by their right kind. A caller who may not see a guest is not refused. */
async function checkGuest(report: Report<"sid">, api: Session, sid: string): Promise<void> {
  const wanted = parseSid(sid);
  if (wanted === null || api.planned.has("vm", wanted.vmid)) return;
  const guest = await locate(api, wanted.vmid);
  if (guest !== null) {
    const kind = guest.type === "lxc" ? "ct" : "vm";
    if (kind === wanted.kind) return;
    const noun = kind === "ct" ? "container" : "VM";
    report.error("sid", "Another kind of guest", `${wanted.vmid} is a ${noun}: write \`${kind}:${wanted.vmid}\`.`);
    return;
  }
  if (!(await canAudit(api, `/vms/${wanted.vmid}`, "VM.Audit"))) return;
  const { guests } = await api.inventory.snapshot();
  const known = [...guests.values()].map(({ vmid, type }) => `${type === "lxc" ? "ct" : "vm"}:${vmid}`);
  report.error("sid", "No such guest", `Guest ${wanted.vmid} does not exist. ${alternatives(sid, known)}`);
}

/** A guest that was not there at the last look may exist by now. */
async function locate(api: Session, vmid: number) {
  const guest = await api.inventory.locate(vmid);
  if (guest !== null) return guest;
  api.inventory.forget();
  return api.inventory.locate(vmid);
}
