import { objects, settings } from "../../../registry.ts";

/** `{guest}` is a VM and a container, `{firewall}` every firewall that there is. */
const places: Readonly<Record<string, readonly string[]>> = {
  "{guest}": ["/nodes/{node}/qemu/{vmid}", "/nodes/{node}/lxc/{vmid}"],
  "{firewall}": [
    ...["/cluster/firewall", "/nodes/{node}/firewall", "/cluster/sdn/vnets/{vnet}/firewall"],
    ...["/nodes/{node}/qemu/{vmid}/firewall", "/nodes/{node}/lxc/{vmid}/firewall"],
  ],
};

/** Firewalls that have aliases and IP sets: not those of nodes and of vnets. */
const lists = ["/cluster", "{guest}"].flatMap((one) => expand(`${one}/firewall`));

/** `GET POST /x`: both calls. */
function each(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [path = "", ...methods] = line.split(" ").reverse();
    return methods.flatMap((method) => expand(path).map((one) => `${method} ${one}`));
  });
}

function expand(path: string): readonly string[] {
  const [place] = Object.keys(places).filter((one) => path.includes(one));
  return place === undefined ? [path] : (places[place] ?? []).map((one) => path.replace(place, one));
}

const inLists = (...lines: readonly string[]): string[] =>
  lists.flatMap((list) => each(...lines.map((line) => line.replace("{list}", list))));

const content = "/nodes/{node}/storage/{storage}/content";
const files = each("GET /nodes/{node}/storage", `GET ${content}`, `DELETE ${content}/{volume}`);
const rules = each("GET POST {firewall}/rules", "PUT DELETE {firewall}/rules/{pos}", "GET /cluster/firewall/macros");
const aliases = inLists("GET POST {list}/aliases", "GET PUT DELETE {list}/aliases/{name}");
const ipsets = inLists(
  "GET POST {list}/ipset",
  "GET POST DELETE {list}/ipset/{name}",
  "DELETE {list}/ipset/{name}/{cidr}",
);
const firewallOptions = each("GET PUT {firewall}/options");

const diskUse = (kind: string): string[] =>
  each(
    `GET POST /nodes/{node}/disks/${kind}`,
    `DELETE /nodes/{node}/disks/${kind}/{name}`,
    "GET /nodes/{node}/disks/list",
  );

const guest = (kind: "qemu" | "lxc"): string[] => {
  const own = `/nodes/{node}/${kind}/{vmid}`;
  return each(
    `GET POST /nodes/{node}/${kind}`,
    `DELETE ${own}`,
    `GET PUT ${own}/config`,
    ...["pending", "feature", "snapshot", "status/current"].map((part) => `GET ${own}/${part}`),
    ...["clone", "migrate", "template", "status/start", "status/stop", "status/shutdown"].map(
      (part) => `POST ${own}/${part}`,
    ),
    `PUT ${own}/resize`,
    "GET /nodes/{node}/network",
  );
};

/** The calls of resources without a definition. */
const written: Readonly<Record<string, readonly string[]>> = {
  proxmox_acl: each("GET PUT /access/acl", "GET /access/users"),
  proxmox_acme_certificate: each(
    ...["GET /cluster/acme/account", "GET PUT /nodes/{node}/config", "GET /nodes/{node}/certificates/info"],
    ...["POST /nodes/{node}/certificates/acme/certificate", "DELETE /nodes/{node}/certificates/custom"],
  ),
  proxmox_apt_repository: each("GET POST PUT /nodes/{node}/apt/repositories"),
  proxmox_container: [
    ...guest("lxc"),
    ...each("POST /nodes/{node}/lxc/{vmid}/move_volume", "GET /nodes/{node}/lxc/{vmid}/interfaces"),
  ],
  proxmox_container_template: [...files, ...each("GET POST /nodes/{node}/aplinfo")],
  proxmox_disk: [
    ...files,
    ...each(`POST ${content}`, `GET ${content}/{volume}`, "GET {guest}/pending", "GET /cluster/nextid"),
    ...each("POST /nodes/{node}/qemu", "DELETE /nodes/{node}/qemu/{vmid}", "PUT /nodes/{node}/qemu/{vmid}/resize"),
  ],
  proxmox_download: [...files, ...each("POST /nodes/{node}/storage/{storage}/download-url")],
  proxmox_file: [...files, ...each("POST /nodes/{node}/storage/{storage}/upload")],
  proxmox_firewall_alias: aliases,
  proxmox_firewall_ipset: ipsets,
  proxmox_firewall_options: firewallOptions,
  proxmox_firewall_policy: [...rules, ...aliases, ...ipsets, ...firewallOptions],
  proxmox_firewall_rules: [...rules, ...firewallOptions],
  proxmox_firewall_security_group: each(
    ...["GET POST /cluster/firewall/groups", "GET POST DELETE /cluster/firewall/groups/{group}"],
    ...["PUT DELETE /cluster/firewall/groups/{group}/{pos}", "GET /cluster/firewall/macros"],
  ),
  proxmox_node_certificate: each(
    "GET /nodes/{node}/certificates/info",
    "POST DELETE /nodes/{node}/certificates/custom",
  ),
  proxmox_node_directory: diskUse("directory"),
  proxmox_node_lvm: diskUse("lvm"),
  proxmox_node_lvmthin: diskUse("lvmthin"),
  proxmox_node_zfs_pool: diskUse("zfs"),
  proxmox_oci_image: [...files, ...each("POST /nodes/{node}/storage/{storage}/oci-registry-pull")],
  proxmox_pool_member: each("GET PUT /pools"),
  proxmox_sdn_ip: each(
    ...["GET /cluster/sdn/zones", "GET /cluster/sdn/vnets", "GET /cluster/sdn/vnets/{vnet}/subnets"],
    ...["POST DELETE /cluster/sdn/vnets/{vnet}/ips", "GET /cluster/sdn/ipams/{ipam}/status"],
  ),
  proxmox_snapshot: each(
    ...["GET POST {guest}/snapshot", "DELETE {guest}/snapshot/{snapname}", "GET {guest}/feature"],
    "PUT {guest}/snapshot/{snapname}/config",
  ),
  proxmox_tfa: each("GET POST /access/tfa/{userid}", "GET PUT DELETE /access/tfa/{userid}/{id}"),
  proxmox_token: each("GET POST PUT DELETE /access/users/{userid}/token/{tokenid}", "GET /access/users"),
  proxmox_vm: [
    ...guest("qemu"),
    ...each(
      ...["POST /nodes/{node}/qemu/{vmid}/config", "GET PUT /nodes/{node}/qemu/{vmid}/cloudinit"],
      ...["GET /nodes/{node}/qemu/{vmid}/migrate", "POST /nodes/{node}/qemu/{vmid}/move_disk"],
      ...["PUT /nodes/{node}/qemu/{vmid}/unlink", "GET /nodes/{node}/qemu/{vmid}/agent/network-get-interfaces"],
      ...["GET /nodes/{node}/capabilities/qemu/cpu", "GET /nodes/{node}/capabilities/qemu/machines"],
    ),
  ],
};

/** What every run calls. */
export const commonCalls: readonly string[] = [
  ...each(
    "GET /version",
    "GET /access/permissions",
    "GET /access/roles",
    "GET /cluster/resources",
    "GET /cluster/status",
  ),
  ...each("GET /nodes", "GET /nodes/{node}/tasks", "DELETE /nodes/{node}/tasks/{upid}"),
  ...each("GET /nodes/{node}/tasks/{upid}/status", "GET /nodes/{node}/tasks/{upid}/log"),
];

const described = { ...objects, ...settings };

/** Every resource type. */
export const resourceTypes: readonly string[] = [...Object.keys(described), ...Object.keys(written)].sort();

/** The calls of a resource, from its creation to its removal. */
export async function callsOf(type: string): Promise<readonly string[]> {
  const load = described[type as keyof typeof described];
  const own = load === undefined ? (written[type] ?? []) : (await load()).crud.endpoints;
  return [...new Set([...own, ...commonCalls])];
}
