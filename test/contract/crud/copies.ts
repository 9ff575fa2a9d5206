import { defaultSeed } from "#simulator";
import { objects } from "../../../src/registry.ts";
import { type Values, withValue } from "./row.ts";
import { rows } from "./rows.ts";
import { sdn } from "./sdn-rows.ts";

const definitions = new Map(
  (await Promise.all(Object.values(objects).map((load) => load()))).map(({ type, crud }) => [type, crud] as const),
);

/** Many objects of one type that have nothing in common, and a change for each of them. */
interface Copies {
  of(n: number): Values;
  readonly change?: Values | ((n: number) => Values);
  /** How many PVE allows. */
  readonly most?: number;
}

/** Where another name alone does not make another object. */
const special: Readonly<Record<string, Copies>> = {
  proxmox_ha_resource: { of: (n) => ({ sid: `vm:${1000 + n}` }) },
  proxmox_ha_rule: {
    of: (n) => ({ name: `near-${n}`, type: "node-affinity", resources: [`vm:${2000 + n}`], nodes: { pve1: 2 } }),
    change: { comment: "changed" },
  },
  proxmox_network_interface: {
    of: (n) => ({ node: "pve1", name: `vmbr${100 + n}`, bridge: {} }),
    change: { comment: "changed" },
  },
  proxmox_replication: { of: (n) => ({ id: `${3000 + n}-0`, target: "pve2" }) },
  proxmox_sdn_controller: {
    of: (n) => ({ id: `bgp-${n}`, bgp: { node: `pve${n}`, asn: 65_000, peers: ["10.0.0.1"] } }),
    change: { bgp: { node: "pve1", asn: 65_001, peers: ["10.0.0.1"] } },
    most: 1,
  },
  proxmox_sdn_dns: { of: (n) => ({ id: `names${n}`, url: "https://dns.example.com/api", key: "secret" }) },
  proxmox_sdn_ipam: {
    of: (n) => ({ id: `boxes${n}`, netbox: { url: "https://netbox.example.com/api", token: "secret" } }),
  },
  proxmox_sdn_fabric: {
    of: (n) => ({ id: `f${n}`, ip_prefix: `172.16.${n}.0/24`, openfabric: {} }),
    change: { openfabric: { hello_interval: 5 } },
  },
  proxmox_sdn_fabric_node: {
    of: (n) => ({
      ...{ fabric: `g${n}`, node: "pve1", protocol: "openfabric", ip: `172.17.${n}.1` },
      interfaces: { [`eth${n}`]: {} },
    }),
    change: (n) => ({ interfaces: { [`eth${100 + n}`]: {} } }),
  },
  proxmox_sdn_subnet: { of: (n) => ({ vnet: "basenet", cidr: `10.${100 + n}.0.0/24` }), change: { snat: true } },
  proxmox_sdn_vnet: { of: (n) => ({ id: `v${n}`, zone: "base" }), change: { alias: "changed" } },
  proxmox_sdn_zone: { of: (n) => ({ id: `z${n}`, simple: {} }), change: { mtu: 1400 } },
  proxmox_storage: { of: (n) => ({ id: `data-${n}`, dir: { path: `/srv/data-${n}` } }) },
  proxmox_user: { of: (n) => ({ id: `ann-${n}@pve` }), change: { comment: "changed" } },
};

function plain(type: string): Copies {
  const row = rows.find((one) => one.type === type);
  const { definition, model } = definitions.get(type) ?? {};
  const name = definition?.identity.find((one) => one !== model?.variants.attribute);
  if (row === undefined || name === undefined) throw new Error(`${type} has no row`);
  return { of: (n) => ({ ...row.base, [name]: `${row.base[name]}-${n}` }) };
}

/** Everything that is made from a definition: its file, objects of it, and each of them changed. */
export const crowds = [...definitions].map(([type, { definition, access }]) => {
  const { of, change, most = Number.POSITIVE_INFINITY } = special[type] ?? plain(type);
  const [[path = "", [value] = [null]] = []] = Object.entries(rows.find((one) => one.type === type)?.values ?? {});
  const changed = (n: number) =>
    change ? { ...of(n), ...(typeof change === "function" ? change(n) : change) } : withValue(of(n), path, value);
  const reads = access.kinds.map((kind) => access.endpoints(kind).read);
  return { type, file: definition.file, of, changed, most, reads };
});

const guests = (first: number, config: (vmid: number) => object) =>
  Array.from({ length: 60 }, (_, index) => first + index).map((vmid) => ({ vmid, node: "pve1", config: config(vmid) }));

/** A cluster in which all of them can be created. */
export function crowdedSeed(): object {
  const seed = defaultSeed() as { guests: object[]; storages: object[] };
  const zfs = { storage: "zfs1", type: "zfspool", pool: "rpool/data", content: ["images"], total_bytes: 1024 ** 4 };
  const fabrics = Array.from({ length: 60 }, (_, n) => ({
    ...{ id: `g${n}`, protocol: "openfabric", ip_prefix: `172.17.${n}.0/24` },
  }));
  const plainGuest = (vmid: number) => ({ name: `web-${vmid}` });
  const replicated = (vmid: number) => ({ name: `db-${vmid}`, scsi0: `zfs1:vm-${vmid}-disk-0,size=1M` });
  const watched = guests(2000, plainGuest);
  return {
    ...seed,
    storages: [...seed.storages, zfs],
    guests: [...seed.guests, ...guests(1000, plainGuest), ...watched, ...guests(3000, replicated)],
    ha_resources: watched.map(({ vmid }) => ({ sid: `vm:${vmid}`, state: "stopped" })),
    sdn: { ...sdn, fabrics: [...sdn.fabrics, ...fabrics] },
    ceph: { rules: ["ssd"] },
  };
}

/** What the seed cannot hold. */
export function prepareCrowd({ access }: Parameters<NonNullable<(typeof rows)[number]["prepare"]>>[0]): void {
  const options = { server1: "192.0.2.20", base_dn: "dc=example,dc=com", user_attr: "uid" };
  access.realms["directory"] = { type: "ldap", options };
}
