import { Failure, isPveError, type Session } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import { addressOf } from "./address.ts";
import { runOf } from "./run.ts";

/** What a clone is made from. */
export interface Source extends GuestAddress {
  readonly config: GuestConfig;
  readonly isRunning: boolean;
}

/** The one VM of that id, or template (else VM) of that name. Null: there is none. */
export async function findSource(api: Session, reference: string, signal?: AbortSignal): Promise<Source | null> {
  const place = await (/^\d+$/.test(reference) ? byId(api, Number(reference)) : byName(api, reference));
  if (place === null) return null;
  const config = await configOf(api, place, signal);
  return { ...place, config, isRunning: !config.isTemplate && place.status === "running" };
}

/**
 * Why there is no such source. PVE hides what a caller may not see without a word, so who sees nothing at all most often
 * lacks permissions, not templates.
 */
export async function whyMissing(api: Session, reference: string): Promise<{ summary: string; detail: string }> {
  const vms = await api.inventory.list("qemu");
  if (vms.length === 0 && api.settings.permissionCheck !== "off") {
    const hidden = await api.inventory.getTemplate(reference).catch((reason: unknown) => reason);
    if (isPveError(hidden, "permission")) {
      const cure = "Grant VM.Audit and VM.Clone on `/vms`, to the user and, with privilege separation, to the token.";
      return { summary: "No permissions", detail: `${api.identity}: ${hidden.message}. ${cure}` };
    }
  }
  const templates = vms.filter(({ isTemplate }) => isTemplate);
  const shown = templates.map(({ name, vmid }) => (name === undefined ? `\`${vmid}\`` : `\`${name}\` (${vmid})`));
  const names = shown.join(", ") || "none";
  return {
    summary: "Template not found",
    detail: `There is no VM or template \`${reference}\`, or you may not see it (VM.Audit). The templates there are: ${names}.`,
  };
}

interface Place extends GuestAddress {
  readonly status: string;
}

async function byId(api: Session, vmid: number): Promise<Place | null> {
  const guest = await api.inventory.locate(vmid);
  if (guest?.type !== "qemu") return null;
  // Younger than the last broadcast, or on a node whose statistics are missing: the node itself knows.
  return guest.status === "unknown" ? api.inventory.find("qemu", vmid) : guest;
}

async function byName(api: Session, name: string): Promise<Place | null> {
  const listed = await vmsNamed(api, name);
  const named = listed.length > 0 ? listed : await api.inventory.findByName("qemu", name);
  const templates = named.filter(({ isTemplate }) => isTemplate);
  const candidates = templates.length > 0 ? templates : named;
  if (candidates.length > 1) {
    const places = candidates.map(({ vmid, node }) => `${vmid} on ${node}`).join(", ");
    throw new Failure(
      "Ambiguous template",
      `${candidates.length} VMs are named "${name}": ${places}. Give the VMID of the one you mean.`,
      { path: "clone.template" },
    );
  }
  return candidates[0] ?? null;
}

interface NamedVm extends Place {
  readonly isTemplate: boolean;
}

/**
 * VMs of that name. The cluster's own list has names that lag by some seconds but costs one call for everybody; the
 * nodes are asked only when it cannot tell, because it shows guests so new that they have no name there yet.
 */
export async function vmsNamed(api: Session, name: string): Promise<readonly NamedVm[]> {
  const { guests } = await api.inventory.snapshot();
  const vms = [...guests.values()].filter(({ type }) => type === "qemu");
  if (vms.every((vm) => vm.name !== undefined)) {
    const named = vms.filter((vm) => vm.name === name);
    return named.map(({ vmid, node, status, template }) => ({ vmid, node, status, isTemplate: template ?? false }));
  }
  return api.inventory.findByName("qemu", name, "recent");
}

/** Many VMs are made from one template; its configuration is read once. */
function configOf(api: Session, place: GuestAddress, signal?: AbortSignal): Promise<GuestConfig> {
  const { sources } = runOf(api);
  const config = sources.get(place.vmid) ?? api.qemu.getConfig(addressOf(place), {}, { signal });
  sources.set(place.vmid, config);
  return config.catch((reason: unknown) => {
    sources.delete(place.vmid);
    throw reason;
  });
}
