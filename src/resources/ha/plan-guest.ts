import type { Report, Session } from "#kit";
import { parseSid } from "./sid.ts";

interface Plan {
  readonly config: { readonly sid?: string | undefined };
  readonly prior: object | null;
  readonly report: Report<"sid">;
}

/** Refuses a guest that `ha` of a VM manages, or that is of the other kind. */
export async function planGuest({ config: { sid }, prior, report }: Plan, api: Session): Promise<void> {
  if (!sid) return;
  if (api.planned.has("ha_resource", sid)) {
    const detail = `\`ha\` of a \`proxmox_vm\` manages "${sid}" already. Remove this resource, or \`ha\` of the VM.`;
    report.error("sid", "Two owners", detail);
  }
  const wanted = prior === null ? parseSid(sid) : null;
  const guest = wanted && (await api.inventory.locate(wanted.vmid));
  if (!guest) return;
  const kind = guest.type === "lxc" ? "ct" : "vm";
  if (kind === wanted.kind) return;
  const noun = kind === "ct" ? "container" : "VM";
  report.error("sid", "Another kind of guest", `${wanted.vmid} is a ${noun}: write \`${kind}:${wanted.vmid}\`.`);
}
