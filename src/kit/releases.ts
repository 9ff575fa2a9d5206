import type { Report } from "#framework";
import { oncePerRun } from "./once-per-run.ts";
import type { Session } from "./session.ts";

/**
 * What Proxmox VE has only since a version after 9.0: a whole resource, an attribute of it, or one value of an attribute.
 * `*` is any key of a map. Versions are those of pve-manager, as `GET /version` shows them; what comes with another
 * package has the version of pve-manager that was released with that package or next after it (debian/changelog of each).
 */
export const since: Readonly<Record<string, string>> = {
  // pve-manager 9.1.15: API2/Cluster/Qemu/CustomCPUModels.pm
  proxmox_cpu_model: "9.1.15",
  // pve-storage 9.1.0, pve-container 6.0.15
  proxmox_oci_image: "9.1",
  "proxmox_container.entrypoint": "9.1",
  "proxmox_container.env": "9.1",
  "proxmox_container.networks.*.host_managed": "9.1",
  // pve-container 6.1.2 of 2026-02-12, 6.1.6 of 2026-05-07
  "proxmox_container.mounts.*.keep_attributes": "9.1.6",
  "proxmox_container.mounts.*.id_map": "9.1.12",
  // pve-cluster 9.1.2 of 2026-04-02; since 9.1.5 of 2026-05-17 the two figures are percentages
  "proxmox_cluster_options.crs.ha=dynamic": "9.1.8",
  "proxmox_cluster_options.crs.ha_auto_rebalance": "9.1.8",
  "proxmox_cluster_options.crs.ha_auto_rebalance_hold_duration": "9.1.8",
  "proxmox_cluster_options.crs.ha_auto_rebalance_method": "9.1.8",
  "proxmox_cluster_options.crs.ha_auto_rebalance_margin": "9.1.14",
  "proxmox_cluster_options.crs.ha_auto_rebalance_threshold": "9.1.14",
  // pve-cluster 9.1.4 of 2026-05-13, pve-manager 9.1.13
  "proxmox_cluster_options.location": "9.1.13",
  "proxmox_node_config.location": "9.1.13",
  // pve-network 1.4.0 and later
  proxmox_sdn_prefix_list: "9.1.11",
  proxmox_sdn_route_map_entry: "9.1.11",
  "proxmox_sdn_controller.evpn.route_map_in": "9.1.11",
  "proxmox_sdn_controller.evpn.route_map_out": "9.1.11",
  "proxmox_sdn_controller.bgp.route_map_in": "9.1.11",
  "proxmox_sdn_controller.bgp.route_map_out": "9.1.11",
  "proxmox_sdn_controller.evpn.nodes": "9.1.12",
  "proxmox_sdn_controller.evpn.peer_group": "9.1.12",
  "proxmox_sdn_controller.evpn.bgp_mode": "9.1.12",
  "proxmox_sdn_controller.evpn.ebgp_multihop": "9.1.12",
  "proxmox_sdn_zone.evpn.secondary_controllers": "9.1.12",
  "proxmox_sdn_fabric.openfabric.route_filter": "9.1.11",
  "proxmox_sdn_fabric.ospf.route_filter": "9.1.11",
  "proxmox_sdn_fabric.ospf.redistribute": "9.1.12",
  "proxmox_sdn_fabric_node.interfaces.*.network_type": "9.1.12",
  "proxmox_sdn_fabric.bgp": "9.1.15",
  "proxmox_sdn_fabric_node.protocol=bgp": "9.1.15",
  // pve-ha-manager 5.2.1 and 5.2.5
  "proxmox_ha_resource.auto_rebalance": "9.1.13",
  "proxmox_ha_rule.affinity=negative": "9.2.6",
  // qemu-server 9.0.25 of 2025-11-13, 9.1.18 of 2026-06-27
  "proxmox_vm.intel_tdx": "9.1",
  "proxmox_vm.networks.*.host_tunnel": "9.2.4",
};

const versionOf = oncePerRun(async (api: Session) => (await api.cluster.getVersion()).version);

interface Planned {
  readonly api: Session | undefined;
  readonly report: Report;
  /** What is written; an attribute that is null is not. */
  readonly config: Readonly<Record<string, unknown>>;
}

interface Addition {
  readonly path: readonly string[];
  /** The value that is new; undefined: the whole attribute. */
  readonly value: string | undefined;
  readonly first: string;
}

/** Refuses in the plan what the host is too old for. Returns whether it knows everything that is written. */
export async function isKnownToHost(type: string, { api, report, config }: Planned): Promise<boolean> {
  const written = additionsOf(type).flatMap((addition) =>
    placesIn(config, addition.path, addition.value).map((place) => ({ ...addition, place })),
  );
  if (api === undefined || written.length === 0) return true;
  const version = await versionOf(api);
  const missing = written.filter(({ first }) => isBefore(version, first));
  for (const { place, value, first } of missing) {
    const name = value === undefined ? place.at(-1) : `${place.at(-1)} = "${value}"`;
    const [what, cure] = name === undefined ? ["this", "the resource"] : [`\`${name}\``, "the line"];
    const detail = `Proxmox VE has ${what} since ${first}, and the host has ${version}. Upgrade the nodes, or remove ${cure}.`;
    report.error(place.length === 0 ? null : place, "Host is too old", detail);
  }
  return missing.length === 0;
}

const additionsOf = (type: string): Addition[] =>
  Object.entries(since).flatMap(([name, first]) => {
    const [whole = "", value] = name.split("=");
    const [resource, ...path] = whole.split(".");
    return resource === type ? [{ path, value, first }] : [];
  });

/** Where an attribute is written; `*` stands for every key. */
function placesIn(config: unknown, [name, ...inner]: readonly string[], value?: string): string[][] {
  if (name === undefined) return value === undefined || config === value ? [[]] : [];
  const members = Object.entries(typeof config === "object" && config !== null ? config : {});
  return members
    .filter(([key, member]) => (name === "*" || key === name) && (member ?? null) !== null)
    .flatMap(([key, member]) => placesIn(member, inner, value).map((place) => [key, ...place]));
}

/** Whether one version is older than another: 9.2 than 9.10. */
function isBefore(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((version) => version.split(".").map(Number));
  for (const [index, figure] of (theirs ?? []).entries()) {
    if ((mine?.[index] ?? 0) !== figure) return (mine?.[index] ?? 0) < figure;
  }
  return false;
}
