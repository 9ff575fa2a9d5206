import { Failure, isPveError } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import { addressOf } from "../address.ts";
import type { GuestQuery, ReadableGuest } from "../context.ts";

/** The guest that another one is cloned from. */
export interface Source extends ReadableGuest {
  readonly isRunning: boolean;
}

/** The guest with that VMID, or the only template (else guest) with that name. Null: it does not exist. */
export async function findSource(query: GuestQuery, reference: string): Promise<Source | null> {
  const place = await (/^\d+$/.test(reference) ? byId(query, Number(reference)) : byName(query, reference));
  if (place === null) return null;
  const config = await configOf(query, place);
  return { ...place, config, isRunning: !config.isTemplate && place.status === "running" };
}

/**
 * Why the source does not exist. PVE hides guests that a caller may not see, so a caller that sees none at all most often
 * lacks privileges.
 */
export async function whyMissing(
  { kind, api }: GuestQuery,
  reference: string,
): Promise<{ summary: string; detail: string }> {
  const guests = await api.inventory.list(kind.type);
  if (guests.length === 0 && api.settings.permissionCheck !== "off") {
    const hidden = await api.inventory.getTemplate(reference).catch((reason: unknown) => reason);
    if (isPveError(hidden, "permission")) {
      const cure = "Grant VM.Audit and VM.Clone on `/vms`, to the user and, with privilege separation, to the token.";
      return { summary: "No permissions", detail: `${api.identity}: ${hidden.message}. ${cure}` };
    }
  }
  const templates = guests.filter(({ isTemplate }) => isTemplate);
  const shown = templates.map(({ name, vmid }) => (name === undefined ? `\`${vmid}\`` : `\`${name}\` (${vmid})`));
  const names = shown.join(", ") || "none";
  return {
    summary: "Template not found",
    detail: `There is no ${kind.noun} or template \`${reference}\`, or you may not see it (VM.Audit). The templates there are: ${names}.`,
  };
}

interface Place extends GuestAddress {
  readonly status: string;
}

async function byId({ kind, api }: GuestQuery, vmid: number): Promise<Place | null> {
  const guest = await api.inventory.locate(vmid);
  if (guest?.type !== kind.type) return null;
  // It is younger than the last broadcast, or its node sends no statistics. The node itself knows the status.
  return guest.status === "unknown" ? api.inventory.find(kind.type, vmid) : guest;
}

async function byName(query: GuestQuery, name: string): Promise<Place | null> {
  const { kind, api } = query;
  const listed = await guestsNamed(query, name);
  const named = listed.length > 0 ? listed : await api.inventory.findByName(kind.type, name);
  const templates = named.filter(({ isTemplate }) => isTemplate);
  const candidates = templates.length > 0 ? templates : named;
  if (candidates.length > 1) {
    const places = candidates.map(({ vmid, node }) => `${vmid} on ${node}`).join(", ");
    throw new Failure(
      "Ambiguous template",
      `${candidates.length} ${kind.noun}s are named "${name}": ${places}. Give the VMID of the one you mean.`,
      { path: "clone.template" },
    );
  }
  return candidates[0] ?? null;
}

interface NamedGuest extends Place {
  readonly isTemplate: boolean;
}

/**
 * Guests with that name. The names in the cluster's list are up to 14 s old, so the nodes say them; one call per node serves
 * all callers. They are asked again only when the list shows guests so new that they have no name there yet.
 */
export async function guestsNamed({ kind, api }: GuestQuery, name: string): Promise<readonly NamedGuest[]> {
  const { guests } = await api.inventory.snapshot();
  const isComplete = [...guests.values()].every((guest) => guest.type !== kind.type || guest.name !== undefined);
  if (!isComplete) return api.inventory.findByName(kind.type, name, "recent");
  return (await api.inventory.list(kind.type)).filter((guest) => guest.name === name);
}

/** Many guests are cloned from one template; its configuration is read once. */
const configOf = ({ kind, api, signal }: GuestQuery, place: GuestAddress): Promise<GuestConfig> =>
  api.store.remember(`configuration of the source ${place.vmid}`, () =>
    kind.calls(api).getConfig(addressOf(place), {}, { signal }),
  );
