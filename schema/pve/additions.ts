/**
 * What Proxmox VE has only since a version. Versions are those of pve-manager; what comes with another package has the version of
 * pve-manager that was released with that package or next after it (debian/changelog of each).
 */
export interface Addition {
  readonly since: string;
  /** What it is, for the guide about upgrades. */
  readonly topic: string;
  /** `METHOD /path`, or the common start of several. None: an option that existed before means more now. */
  readonly call?: string;
  /** The parameter; none: the whole call. */
  readonly parameter?: string;
  /** The key of a property string. */
  readonly key?: string;
  /** The value; none: all of the parameter or key. */
  readonly value?: string;
}

type Place = Pick<Addition, "parameter" | "key" | "value">;

const every = (since: string, topic: string, calls: readonly string[], places: readonly Place[] = [{}]): Addition[] =>
  calls.flatMap((call) => places.map((place) => ({ since, topic, call, ...place })));

const collection = (path: string): string[] => ["GET", "POST", "PUT", "DELETE"].map((method) => `${method} ${path}`);
const parameters = (...names: string[]): Place[] => names.map((parameter) => ({ parameter }));
const keys = (parameter: string, ...names: string[]): Place[] => names.map((key) => ({ parameter, key }));

const container = ["POST /nodes/{node}/lxc", "PUT /nodes/{node}/lxc/{vmid}/config"];
const vm = ["POST /nodes/{node}/qemu", "POST /nodes/{node}/qemu/{vmid}/config", "PUT /nodes/{node}/qemu/{vmid}/config"];
const options = ["PUT /cluster/options"];
const location = ["PUT /cluster/options", "PUT /nodes/{node}/config"];
const fabrics = ["POST /cluster/sdn/fabrics/fabric", "PUT /cluster/sdn/fabrics/fabric/{id}"];
const fabricNodes = [
  "POST /cluster/sdn/fabrics/node/{fabric_id}",
  "PUT /cluster/sdn/fabrics/node/{fabric_id}/{node_id}",
];
const controllers = ["POST /cluster/sdn/controllers", "PUT /cluster/sdn/controllers/{controller}"];
const zones = ["POST /cluster/sdn/zones", "PUT /cluster/sdn/zones/{zone}"];
const haResources = ["POST /cluster/ha/resources", "PUT /cluster/ha/resources/{sid}"];
const protocol = (value: string): Place[] => [{ parameter: "protocol", value }];
const rebalancing = keys("crs", "ha-auto-rebalance", "ha-auto-rebalance-hold-duration", "ha-auto-rebalance-method");

export const additions: readonly Addition[] = [
  // pve-manager 9.0, pve-ha-manager 5.0, pve-network 1.1, pve-access-control 9.0
  ...every("9.0", "HA rules in the place of HA groups", collection("/cluster/ha/rules")),
  ...every("9.0", "SDN fabrics: OpenFabric and OSPF", collection("/cluster/sdn/fabrics")),
  ...every(
    "9.0",
    "snapshots as volume chains on storages",
    ["POST /storage", "PUT /storage/{storage}"],
    parameters("snapshot-as-volume-chain"),
  ),
  { since: "9.0", topic: "privileges `VM.GuestAgent.*` and `VM.Replicate` in the place of `VM.Monitor`" },

  // pve-storage 9.1.0, pve-container 6.0.15
  ...every("9.1", "images of OCI registries", [
    "POST /nodes/{node}/storage/{storage}/oci-registry-pull",
    "GET /nodes/{node}/query-oci-repo-tags",
  ]),
  ...every("9.1", "entry point and environment of containers", container, parameters("entrypoint", "env")),
  ...every("9.1", "networks of containers that the host configures", container, keys("net[n]", "host-managed")),
  ...every("9.1", "Intel TDX", vm, parameters("intel-tdx")),
  ...every("9.1", "bulk actions on guests", ["GET /cluster/bulk-action", "POST /cluster/bulk-action"]),
  ...every("9.1", "new secrets for tokens", ["PUT /access/users/{userid}/token/{tokenid}"], parameters("regenerate")),

  // pve-container 6.1.2 of 2026-02-12
  ...every("9.1.6", "`keepattrs` of mount points", container, keys("mp[n]", "keepattrs")),
  // pve-cluster 9.1.2 of 2026-04-02
  ...every("9.1.8", "dynamic scheduling of HA, and rebalancing", options, [
    { parameter: "crs", key: "ha", value: "dynamic" },
    ...rebalancing,
  ]),
  // pve-manager 9.1.11 to 9.1.16: debian/changelog
  ...every("9.1.11", "SDN prefix lists", collection("/cluster/sdn/prefix-lists")),
  ...every("9.1.11", "SDN route maps", collection("/cluster/sdn/route-maps")),
  ...every("9.1.11", "route maps of controllers", controllers, parameters("route-map-in", "route-map-out")),
  ...every("9.1.11", "route filters of fabrics", fabrics, parameters("route_filter")),
  // pve-container 6.1.6 of 2026-05-07
  ...every("9.1.12", "ID maps of mount points", container, [...keys("mp[n]", "idmap"), ...keys("rootfs", "idmap")]),
  ...every("9.1.12", "WireGuard fabrics", fabrics, [...protocol("wireguard"), ...parameters("persistent_keepalive")]),
  ...every("9.1.12", "nodes of WireGuard fabrics", fabricNodes, [
    ...protocol("wireguard"),
    ...parameters("allowed_ips", "endpoint", "peers", "public_key", "role"),
    ...keys("interfaces", "network_type", "listen_port", "public_key"),
  ]),
  ...every("9.1.12", "redistribution of OSPF fabrics", fabrics, parameters("redistribute")),
  ...every("9.1.12", "nodes and peer groups of EVPN controllers", controllers, [
    ...parameters("nodes", "peer-group-name", "bgp-mode"),
  ]),
  ...every("9.1.12", "several controllers of an EVPN zone", zones, parameters("secondary-controllers")),
  // pve-cluster 9.1.4 of 2026-05-13
  ...every("9.1.13", "location of the datacenter and of nodes", location, parameters("location")),
  ...every("9.1.13", "rebalancing by HA resource", haResources, parameters("auto-rebalance")),
  // pve-cluster 9.1.5 of 2026-05-17: before, the two figures were fractions
  ...every("9.1.14", "thresholds of HA rebalancing in percent", options, [
    ...keys("crs", "ha-auto-rebalance-margin", "ha-auto-rebalance-threshold"),
  ]),
  // API2/Cluster/Qemu/CustomCPUModels.pm
  ...every("9.1.15", "custom CPU models", collection("/cluster/qemu")),
  ...every("9.1.15", "BGP fabrics", [...fabrics, ...fabricNodes], protocol("bgp")),
  { since: "9.1.16", topic: "tags in the matches of route maps" },

  // qemu-server 9.1.18 of 2026-06-27
  ...every("9.2.4", "`host-tunnel` of network devices", vm, keys("net[n]", "host-tunnel")),
  ...every(
    "9.2.4",
    "filters of the journal",
    ["GET /nodes/{node}/journal"],
    parameters("identifiers", "kernel", "priority", "service", "structured", "unit", "units"),
  ),
  ...every("9.2.5", "restart of Ceph services of all nodes", [
    "POST /cluster/ceph/restart-bulk",
    "POST /nodes/{node}/ceph/restart-bulk",
  ]),
  { since: "9.2.6", topic: "negative node affinity of HA rules" },
  ...every("9.2.7", "list of Ceph releases", ["GET /nodes/{node}/ceph/releases"]),
];
