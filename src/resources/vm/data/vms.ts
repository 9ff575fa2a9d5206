import {
  bool,
  defineDataSource,
  enumerate,
  found,
  getNode,
  int,
  type Logger,
  list,
  map,
  nested,
  nullable,
  oneOf,
  type Report,
  type Session,
  set,
  string,
} from "#kit";
import type { InventoryGuest } from "#pve";
import { addressOf } from "../../guest/address.ts";
import { addressOutputs } from "../../guest/outputs.ts";
import { vmFilters, vmMatcher } from "../filters.ts";
import { configuredAddresses } from "../outputs.ts";
import { warnOfBlindness } from "../visible.ts";
import { addressesOf } from "./addresses.ts";
import { newestOf } from "./newest.ts";

const vm = {
  vmid: found(int(), "VMID."),
  name: found(nullable(string()), "Name, if it has one."),
  node: found(string(), "Node it is on."),
  status: found(string(), "`running`, `stopped` …"),
  template: found(bool(), "Whether it is a template."),
  tags: found(set(string()), "Tags."),
  pool: found(nullable(string()), "Resource pool it is in, if the caller may see that."),
  ip_addresses: found(
    nullable(map(list(string()))),
    "Addresses of each network card, by slot; null unless `addresses` is given.",
  ),
  ipv4_address: found(nullable(string()), "First routable IPv4 address."),
  ipv6_address: found(nullable(string()), "First routable IPv6 address."),
} as const;

/** `proxmox_vms`. */
export const vmsData = defineDataSource({
  type: "proxmox_vms",
  subcategory: "Virtual machines",
  doc: "Virtual machines and templates of the cluster, all or those that match every filter given. If nothing matches the list is empty. Only VMs on which the caller has `VM.Audit` can be seen.",
  attributes: {
    ...vmFilters,
    newest: {
      type: bool(),
      mode: "optional",
      doc: "Whether to keep only the newest of the matches: the one created last by the time in its configuration and, among those of the same time, the one with the highest VMID. A clone has the time of its source, since PVE copies it; VMs older than PVE 7.1 have none and count as oldest. Reads the configuration of every match.",
    },
    addresses: {
      type: oneOf(["configured", "agent"]),
      mode: "optional",
      doc: "Whether to look for IP addresses: `configured`, as cloud-init sets them, takes one call for each match; `agent` also asks the guest agent of those that run, once and without waiting, and needs `VM.GuestAgent.Audit`. Not given: none are shown.",
    },
    vmids: found(map(int()), "VMID by name; of several VMs with one name, the lowest."),
    node_names: found(map(string()), "Node by name of the VM, likewise."),
    ipv4_addresses: found(map(string()), "First routable IPv4 address by name of the VM, for those that have one."),
    ipv6_addresses: found(map(string()), "First routable IPv6 address by name of the VM, for those that have one."),
    vms: found(list(nested(vm)), "The VMs, ordered by VMID."),
  },

  async read(context) {
    const { api, config, report, signal } = context;
    if (config.node !== null) await getNode(api, config.node);
    api.inventory.forgetIfChanged();
    const all = await api.inventory.list("qemu");
    await warnOfBlindness(report, api, all);
    warnOfSilence(report, all, config.node);
    const matches = all.filter(vmMatcher(config)).sort((a, b) => a.vmid - b.vmid);
    const kept = config.newest ? await newestOf(api, matches, signal) : matches;
    const vms = await Promise.all(kept.map((one) => describe(context, one, config.addresses)));
    return {
      vmids: byName(vms, ({ vmid }) => vmid),
      node_names: byName(vms, ({ node }) => node),
      ipv4_addresses: byName(vms, ({ ipv4_address }) => ipv4_address),
      ipv6_addresses: byName(vms, ({ ipv6_address }) => ipv6_address),
      vms,
    };
  },
});

function warnOfSilence(report: Pick<Report, "warning">, vms: readonly InventoryGuest[], node: string | null): void {
  const silent = vms.filter((one) => one.isStale && (node === null || one.node === node));
  if (silent.length === 0) return;
  report.warning(
    null,
    "Some nodes do not answer",
    `VMs on ${enumerate(silent.map((one) => one.node))} are chosen and shown by what the cluster last heard of them; after five minutes that is neither name nor status.`,
  );
}

interface Asked {
  readonly api: Session;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

async function describe(asked: Asked, one: InventoryGuest, source: "configured" | "agent" | null) {
  const { vmid, name = null, node, status, isTemplate: template, tags, pool = null } = one;
  const none = { ip_addresses: null, ipv4_address: null, ipv6_address: null };
  const known = { vmid, name, node, status, template, tags, pool };
  if (source === null || one.isStale) return { ...known, ...none };
  const config = await asked.api.qemu.findConfig(addressOf(one), { signal: asked.signal });
  if (config === null) return { ...known, ...none };
  const draft = asked.api.draft(config.options);
  return {
    ...known,
    ...addressOutputs(await addressesOf(asked, one, draft, source === "agent"), configuredAddresses(draft)),
  };
}

type Described = Awaited<ReturnType<typeof describe>>;

/** What each named VM has of something. The list is ordered by VMID: the first of a name wins, so it is entered last. */
function byName<T>(vms: readonly Described[], of: (vm: Described) => T | null): Record<string, T> {
  const entries = vms.flatMap((one) => {
    const value = of(one);
    return one.name === null || value === null ? [] : [[one.name, value] as const];
  });
  return Object.fromEntries(entries.reverse());
}
