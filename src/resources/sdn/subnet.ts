import { bool, defineCrud, list, nested, type Session, string } from "#kit";
import { ipAddress, networkAddress, parseNetwork } from "./addresses.ts";
import { dhcpRanges } from "./dhcp-ranges.ts";
import { listPending } from "./list-pending.ts";
import { subnetsMovedFrom } from "./moved-from.ts";
import { dnsName } from "./names.ts";
import { editedObject, editedObjects, listSubnets, readSubnets } from "./pending.ts";
import { planSubnet, validateSubnet } from "./plan-subnet.ts";
import { sdnAttributes, staged } from "./staged.ts";

const path = "/cluster/sdn/vnets/{vnet}/subnets/{subnet}";

type Key = Readonly<Record<string, string>>;

/** PVE calls a subnet `zone-10.0.0.0-24`, so its name follows from the zone of its vnet. */
async function places(api: Session, key: Key): Promise<Key> {
  const vnet = (await listPending(api, "/cluster/sdn/vnets")).find((one) => one["vnet"] === key["vnet"]);
  const zone = vnet && editedObject(vnet)?.["zone"];
  const cidr = String(key["subnet"]).replace("/", "-");
  return { vnet: key["vnet"] ?? "", subnet: `${zone ?? "none"}-${cidr}` };
}

/** `proxmox_sdn_subnet`. Server side: pve-network `src/PVE/API2/Network/SDN/Subnets.pm`. */
export const sdnSubnet = defineCrud({
  type: "proxmox_sdn_subnet",
  subcategory: "SDN",
  doc: "A network of addresses in an SDN vnet: its gateway, SNAT and ranges for DHCP. If the zone has an IPAM, the gateway is registered there at once. All changes of a run to the SDN take effect together, with one commit.",
  noun: "SDN subnet",
  path,
  file: "SDN",
  identity: ["vnet", "cidr"],
  fixed: { type: "subnet" },
  otherwise: "Otherwise choose another `cidr`.",
  movedFrom: subnetsMovedFrom,
  ...staged,
  places,
  async find(api, key, { purpose, signal }) {
    const isListed = purpose !== "proof" && purpose !== "create" && purpose !== "update";
    const listed = isListed ? await listSubnets(api, String(key["vnet"])) : null;
    if (listed === null) return api.objects("SDN", { path }).find(await places(api, key), { signal });
    const one = listed.find((candidate) => candidate["cidr"] === key["subnet"]);
    return one === undefined ? null : editedObject(one);
  },
  async listAll(api) {
    const vnets = (await api.sdn.listPending("/cluster/sdn/vnets", {})).filter(({ state }) => state !== "deleted");
    const all = await Promise.all(vnets.map(({ vnet }) => readSubnets(api, String(vnet))));
    return editedObjects(all.flat()).map((one) => ({ ...one, subnet: one["cidr"] }));
  },
  attributes: {
    vnet: {
      type: string(),
      mode: "required",
      wire: "vnet",
      refers: "vnet",
      replace: true,
      doc: "Vnet of the subnet.",
    },
    cidr: {
      type: string({ check: networkAddress }),
      mode: "required",
      wire: "subnet",
      replace: true,
      doc: "The network, such as `10.0.0.0/24`.",
    },
    gateway: {
      type: string({ check: ipAddress }),
      mode: "optional",
      wire: "gateway",
      doc: "Address of the gateway, inside the subnet. In `simple` and `evpn` zones the nodes have it on the bridge.",
    },
    snat: {
      type: bool(),
      mode: "optional",
      wire: "snat",
      doc: "Whether the nodes translate the addresses of guests to their own on the way out. Left out: `false`.",
    },
    dns_zone_prefix: {
      type: string({ check: dnsName("a part of a domain, such as `adm`") }),
      mode: "optional",
      wire: "dnszoneprefix",
      doc: "What stands between the name of a guest and the domain of the zone: `vm.PREFIX.lab.example.com`.",
    },
    dhcp_dns_server: {
      type: string({ check: ipAddress }),
      mode: "optional",
      wire: "dhcp-dns-server",
      doc: "DNS server that DHCP announces. Left out: the gateway.",
    },
    dhcp_ranges: {
      type: list(
        nested({
          start: { type: string({ check: ipAddress }), mode: "required", doc: "First address." },
          end: { type: string({ check: ipAddress }), mode: "required", doc: "Last address." },
        }),
        { min: 1 },
      ),
      mode: "optional",
      wire: "dhcp-range",
      repeated: true,
      as: dhcpRanges,
      doc: 'Ranges that DHCP serves, if the zone has `simple = { dhcp = "dnsmasq" }`.',
    },
    ...sdnAttributes,
  },
  validate: validateSubnet,
  plan: planSubnet,

  /** `web/10.0.0.0/24`, or PVE's own name of it: `web/lab-10.0.0.0-24`. */
  parseId(id) {
    const [, vnet = "", rest = ""] = /^([A-Za-z][A-Za-z0-9]*)\/(.+)$/.exec(id) ?? [];
    const cidr = rest.replace(/^[A-Za-z][A-Za-z0-9]*-(.+)-(\d+)$/, "$1/$2");
    return parseNetwork(cidr) === null ? null : { vnet, cidr };
  },
});
