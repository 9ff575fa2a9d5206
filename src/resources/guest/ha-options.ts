import type { Session } from "#kit";
import type { ClusterSnapshot, HaResource, Parameters } from "#pve";

/** How the HA manager treats a guest, as attributes say it. */
export interface HaOptions {
  readonly state: "started" | "stopped" | "disabled" | "ignored";
  readonly max_restart: number | null;
  readonly max_relocate: number | null;
  readonly failback: boolean | null;
  readonly comment: string | null;
}

/** `enabled` is the old word for `started`, which is also what no word at all means. */
export function haOptions(resource: HaResource | null | undefined): HaOptions | null {
  if (!resource) return null;
  const { state = "started", max_restart = null, max_relocate = null, failback = null, comment = null } = resource;
  return {
    state: (state === "enabled" ? "started" : state) as HaOptions["state"],
    max_restart,
    max_relocate,
    failback,
    comment,
  };
}

type State = HaOptions["state"] | null | undefined;

interface Managed {
  readonly ha?: { readonly state?: State } | null | undefined;
}

/** The status that HA gives the guest; null where HA does not decide it. */
export function statusUnderHa({ ha }: Managed): "running" | "stopped" | null {
  const state = ha?.state ?? "ignored";
  if (state === "ignored") return null;
  return state === "started" ? "running" : "stopped";
}

/** Whether a new guest is started: HA decides it for a guest under HA, `power` for others. */
export function isStartedNew(power: string | null | undefined, managed: Managed): boolean {
  const status = statusUnderHa(managed);
  return status === null ? power === null || power === "running" : status === "running";
}

type Wanted = { readonly [name: string]: string | number | boolean | null | undefined };

/** What to send: the options that are wanted, and those to forget that were set before. */
export function haChange(wanted: Wanted, prior: object | null | undefined): Parameters {
  const before = (prior ?? {}) as Wanted;
  const options = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const set = Object.fromEntries(options.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const emptied = options.flatMap(([name, value]) => (value === null && (before[name] ?? null) !== null ? [name] : []));
  return { ...set, ...(emptied.length > 0 && { delete: emptied }) };
}

/**
 * Whether HA has tried a start in vain and left the guest in the state `error`: it accepts nothing but `disabled` then
 * (pve-ha-manager: src/PVE/HA/Manager.pm, `next_state_error`; src/PVE/API2/HA/Resources.pm, `check_service_state`).
 */
export const hasGivenUp = async (api: Session, vmid: number): Promise<boolean> =>
  (await api.inventory.snapshot()).guests.get(vmid)?.hastate === "error";

/** One list for all who ask, as old as what was seen of the cluster. */
export function resourcesIn(api: Session, seen: ClusterSnapshot): Promise<ReadonlyMap<string, HaResource>> {
  const list = async () => new Map((await api.ha.list()).map((one) => [one.sid, one]));
  return api.store.of(seen).remember("HA resources", list);
}
