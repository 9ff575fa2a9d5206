import type { AccessCalls } from "../access.ts";
import type { GuestResource } from "../cluster.ts";
import { PveError } from "../errors.ts";
import {
  type ClusterSnapshot,
  createClusterView,
  type GuestType,
  type InventoryGuest,
  type ViewParts,
} from "./cluster-view.ts";

/**
 * One snapshot of the cluster, shared by all callers. A change by this client is seen by the next call, unless the client
 * was created with `keepInventory`.
 */
export interface Inventory {
  snapshot(): Promise<ClusterSnapshot>;
  /**
   * The node of that guest. Existence and node are never stale in PVE, so a missing guest is looked up once more, and
   * always after this process has changed something, since it may have created that guest.
   */
  locate(vmid: number): Promise<GuestResource | null>;
  /** A guest's current name, from its own node; undefined if it has none, or its node is offline. */
  nameOf(guest: GuestResource): Promise<string | undefined>;
  /** Every guest of that type with its live name and status: one call per node that has any. */
  list(type: GuestType): Promise<readonly InventoryGuest[]>;
  find(type: GuestType, vmid: number): Promise<InventoryGuest | null>;
  /** `recent`: objects created within the last second may be missing. Cheaper where a missing object is expected. */
  findByName(type: GuestType, name: string, freshness?: "exact" | "recent"): Promise<readonly InventoryGuest[]>;
  findTemplates(filter: { readonly name?: string; readonly tag?: string }): Promise<readonly InventoryGuest[]>;
  /** The one template with that id or name. If there is none or more than one, the error lists the candidates. */
  getTemplate(reference: number | string): Promise<InventoryGuest>;
  /** The cached data is out of date: this process changed the cluster. */
  forget(): void;
  /** This process has destroyed the guest; the rest of the cached data is still valid. */
  remove(vmid: number): void;
  /** Drops data read before the last change by this process; for callers that list objects. */
  forgetIfChanged(): void;
}

interface Parts extends ViewParts {
  readonly access: AccessCalls;
  /** "token" or "user", for the message about missing privileges. */
  readonly caller: "token" | "user";
}

export function createInventory({ access, caller, ...parts }: Parts): Inventory {
  const view = createClusterView(parts);

  /** A newer snapshot for a caller that missed something in this one; the same if it can show nothing new. */
  const lookAgain = (seen: ClusterSnapshot, freshness: "exact" | "recent" = "exact"): Promise<ClusterSnapshot> => {
    if (freshness === "exact") view.forgetIfChanged();
    return view.newerThan(seen);
  };

  const list = async (type: GuestType): Promise<readonly InventoryGuest[]> => [...(await view.list(type)).values()];

  /** Checks a newer snapshot before an object is reported as missing. */
  const search = async (
    type: GuestType,
    matches: (guest: InventoryGuest) => boolean,
    freshness?: "exact" | "recent",
  ): Promise<readonly InventoryGuest[]> => {
    const seen = await view.snapshot();
    const found = (await list(type)).filter(matches);
    return found.length > 0 || (await lookAgain(seen, freshness)) === seen ? found : (await list(type)).filter(matches);
  };

  const findTemplates = ({ name, tag }: { readonly name?: string; readonly tag?: string }) =>
    search(
      "qemu",
      (vm) => vm.isTemplate && (name === undefined || vm.name === name) && (tag === undefined || vm.tags.includes(tag)),
    );

  const explainAbsence = async (wanted: string): Promise<PveError> => {
    const vms = await list("qemu");
    const templates = vms.filter(({ isTemplate }) => isTemplate).map(showVm);
    const hint = templates.length === 0 ? "no template is visible" : `visible templates: ${templates.join(", ")}`;
    return (
      (vms.length === 0 ? await noPrivileges(access, caller) : undefined) ??
      new PveError("not_found", `${wanted} does not exist; ${hint}`)
    );
  };

  return {
    snapshot: view.snapshot,
    list,
    nameOf: view.nameOf,
    forget: view.forget,
    remove: view.remove,
    forgetIfChanged: view.forgetIfChanged,
    findTemplates,
    async find(type, vmid) {
      const seen = await view.snapshot();
      const found = (await view.list(type)).get(vmid);
      const isLast = found !== undefined || (await lookAgain(seen)) === seen;
      return (isLast ? found : (await view.list(type)).get(vmid)) ?? null;
    },
    findByName: (type, name, freshness) => search(type, (guest) => guest.name === name, freshness),

    async locate(vmid) {
      const seen = await view.snapshot();
      return seen.guests.get(vmid) ?? (await lookAgain(seen)).guests.get(vmid) ?? null;
    },

    async getTemplate(reference) {
      const isId = typeof reference === "number" || /^\d+$/.test(reference);
      const found = isId
        ? await search("qemu", ({ vmid, isTemplate }) => isTemplate && vmid === Number(reference))
        : await findTemplates({ name: reference });
      const [only] = found;
      if (only === undefined) {
        throw await explainAbsence(isId ? `template with the id ${reference}` : `template named "${reference}"`);
      }
      if (found.length > 1) {
        const places = found.map(({ vmid, node }) => `${vmid} on ${node}`).join(", ");
        throw new PveError(
          "conflict",
          `${found.length} templates are named "${reference}": ${places}; give the id of one`,
        );
      }
      return only;
    },
  };
}

/** PVE hides what a caller may not see without an error, so an empty cluster is most often a token without an ACL. */
async function noPrivileges(access: AccessCalls, caller: Parts["caller"]): Promise<PveError | undefined> {
  const permissions = await access.getPermissions();
  const missing = { paths: ["/vms"], privileges: ["VM.Audit"] };
  if (Object.keys(permissions).length === 0) {
    return new PveError("permission", `the ${caller} sees no guests: it has no privileges`, { missing });
  }
  const canAudit = Object.values(permissions).some((privileges) => "VM.Audit" in privileges);
  return canAudit
    ? undefined
    : new PveError("permission", `the ${caller} sees no guests: it lacks VM.Audit on every path`, { missing });
}

/** `ubuntu (9000)`; a VM without a name is shown by its VMID alone. */
export const showVm = ({ name, vmid }: Pick<InventoryGuest, "name" | "vmid">): string =>
  name === undefined ? String(vmid) : `${name} (${vmid})`;
