import {
  Failure,
  int,
  isPveError,
  locateGuest,
  matches,
  type Need,
  oncePerRun,
  type Report,
  type Session,
  string,
} from "#kit";
import type { FirewallPlace, GuestResource } from "#pve";

/** Whose firewall it is. */
export type Scope =
  | { readonly kind: "cluster" }
  | { readonly kind: "node" | "vnet"; readonly name: string }
  | { readonly kind: "guest"; readonly vmid: number };

export type ScopeKind = Scope["kind"];

export const clusterScope: Scope = { kind: "cluster" };

export const vmid = int({ min: 100, max: 999_999_999 });
export const vnetName = string({
  check: matches(/^[a-zA-Z][a-zA-Z0-9]{1,7}$/, "a letter and then 1 to 7 letters or digits"),
});

/** What names the owner of a firewall; without any of them it is the cluster's. */
export const scopeAttributes = {
  id: {
    type: string(),
    mode: "computed",
    instead: "Set `node`, `vmid` or `vnet`; without any of them it is the cluster's.",
    doc: "`cluster`, `node/NAME`, `guest/VMID` or `vnet/NAME`; also the ID of an import.",
  },
  node: { type: string(), mode: "optional", replace: true, doc: "Node whose firewall it is." },
  vmid: {
    type: vmid,
    mode: "optional",
    replace: true,
    doc: "VM or container whose firewall it is, on whichever node it runs: a migration changes nothing.",
  },
  vnet: { type: vnetName, mode: "optional", replace: true, doc: "Vnet whose firewall it is." },
} as const;

interface Given {
  readonly node?: string | null | undefined;
  readonly vmid: number | null | undefined;
  readonly vnet?: string | null | undefined;
}

/** Undefined: not known yet. */
export function scopeOf(given: Given): Scope | undefined {
  const { node, vmid: guest, vnet } = { node: null, vnet: null, ...given };
  if (node) return { kind: "node", name: node };
  if (guest) return { kind: "guest", vmid: guest };
  if (vnet) return { kind: "vnet", name: vnet };
  return [node, guest, vnet].includes(undefined) ? undefined : clusterScope;
}

/** Whose firewall a plan is about, even if it is not known which: a VMID that is not known yet is that of a guest. */
export function scopeKindOf(given: Given): ScopeKind | undefined {
  const scope = scopeOf(given);
  if (scope !== undefined) return scope.kind;
  const [open, another] = (["node", "vmid", "vnet"] as const).filter((name) => given[name] === undefined);
  if (another !== undefined) return undefined;
  return open === "vmid" ? "guest" : open;
}

/** The attributes of a scope. */
export const scopeValues = (scope: Scope) => ({
  node: scope.kind === "node" ? scope.name : null,
  vmid: scope.kind === "guest" ? scope.vmid : null,
  vnet: scope.kind === "vnet" ? scope.name : null,
});

export function scopeId(scope: Scope): string {
  if (scope.kind === "cluster") return "cluster";
  return scope.kind === "guest" ? `guest/${scope.vmid}` : `${scope.kind}/${scope.name}`;
}

export function parseScope(id: string): Scope | null {
  if (id === "cluster") return clusterScope;
  const [, kind, name = ""] = /^(node|vnet|guest)\/([^/]+)$/.exec(id) ?? [];
  if (kind === "guest") return /^[1-9]\d{2,8}$/.test(name) ? { kind, vmid: Number(name) } : null;
  return kind === undefined ? null : { kind: kind as "node" | "vnet", name };
}

export function requireScope(id: string): Scope {
  const scope = parseScope(id);
  if (scope !== null) return scope;
  throw new Failure(
    "Invalid import ID",
    `\`${id}\` is none of \`cluster\`, \`node/NAME\`, \`guest/VMID\` and \`vnet/NAME\`.`,
  );
}

/** `the cluster`, `node pve1`, `guest 401` */
export function describeScope(scope: Scope): string {
  return scope.kind === "cluster" ? "the cluster" : scopeId(scope).replace("/", " ");
}

/** `firewall rules of guest 401`, as far as an ID is known. */
export const labelOf = (noun: string, id: unknown): string => {
  const scope = typeof id === "string" ? parseScope(id) : null;
  return scope === null ? noun : `${noun} of ${describeScope(scope)}`;
};

/** More than one owner is given. */
export function checkOneScope(config: Given, report: Pick<Report, "error">): void {
  const given = (["node", "vmid", "vnet"] as const).filter((name) => config[name]);
  const [first, second] = given;
  if (second === undefined) return;
  report.error(
    second,
    "One firewall only",
    `Give either \`${first}\` or \`${second}\`; without them it is the cluster's.`,
  );
}

type FindGuest = (vmid: number) => Promise<GuestResource | null>;

/** Where a firewall is that is planned. Null: the guest does not exist yet, or the caller may not see it. */
export const locate = (api: Session, scope: Scope): Promise<FirewallPlace | null> =>
  placeOf(scope, (vmid) => api.inventory.locate(vmid));

/** Where a firewall is that a state has. Null: the guest does not exist. One that is hidden is an error: its firewall is not gone. */
export const locateOwn = (api: Session, scope: Scope): Promise<FirewallPlace | null> =>
  placeOf(scope, (vmid) => locateGuest(api, vmid));

/** Guests are asked for by VMID, so a migration changes nothing. */
async function placeOf(scope: Scope, find: FindGuest): Promise<FirewallPlace | null> {
  switch (scope.kind) {
    case "cluster":
      return { path: "/cluster/firewall", values: {}, file: "cluster.fw" };
    case "node":
      return { path: "/nodes/{node}/firewall", values: { node: scope.name }, file: `${scope.name}/host.fw` };
    case "vnet":
      return { path: "/cluster/sdn/vnets/{vnet}/firewall", values: { vnet: scope.name }, file: `${scope.name}.fw` };
    case "guest": {
      const guest = await find(scope.vmid);
      if (guest === null) return null;
      const values = { node: guest.node, vmid: scope.vmid };
      return { path: `/nodes/{node}/${guest.type}/{vmid}/firewall`, values, file: `${scope.vmid}.fw` };
    }
  }
}

export async function requirePlace(api: Session, scope: Scope): Promise<FirewallPlace> {
  const place = await locate(api, scope);
  if (place !== null) return place;
  throw new Failure(
    "No such guest",
    `There is no ${describeScope(scope)}, or ${api.identity} may not see it. Proxmox VE would store its firewall all the same, for whichever guest gets that VMID.`,
    { path: "vmid" },
  );
}

/** What is read of a firewall; null if its owner is gone. Vnets that are not applied have no firewall. */
export async function ifThere<T>(
  api: Session,
  scope: Scope,
  read: (place: FirewallPlace) => Promise<T>,
  find: typeof locateOwn = locateOwn,
): Promise<T | null> {
  const place = await find(api, scope);
  if (place === null) return null;
  try {
    return await read(place);
  } catch (reason) {
    if (isPveError(reason, "not_found")) return null;
    throw reason;
  }
}

/** What a caller needs to read and change a firewall. Unknown guests and vnets are not judged. */
export async function needsOf(api: Session, scope: Scope): Promise<Need[]> {
  const on = (path: string, ...privileges: string[]): Need[] =>
    privileges.map((privilege) => ({ privileges: [privilege], paths: [path], attribute: null }));
  switch (scope.kind) {
    case "cluster":
      return on("/", "Sys.Audit", "Sys.Modify");
    case "node":
      return on(`/nodes/${scope.name}`, "Sys.Audit", "Sys.Modify");
    case "guest":
      return (await isSeen(api, scope.vmid)) ? on(`/vms/${scope.vmid}`, "VM.Audit", "VM.Config.Network") : [];
    case "vnet": {
      const zone = (await zonesOf(api)).get(scope.name);
      return zone === undefined ? [] : on(`/sdn/zones/${zone}/${scope.name}`, "SDN.Allocate");
    }
  }
}

/** Of a guest that the same plan creates, the privileges are known if it will be in a pool. */
const isSeen = async (api: Session, vmid: number): Promise<boolean> =>
  api.planned.poolOf(String(vmid)) !== undefined || (await locate(api, { kind: "guest", vmid })) !== null;

const zonesOf = oncePerRun(async (api) => {
  const vnets = await api.objects("SDN", { path: "/cluster/sdn/vnets/{vnet}" }).list({});
  return new Map(vnets.map(({ vnet, zone }) => [String(vnet), String(zone)]));
});
