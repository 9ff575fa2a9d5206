import { bool, defineCollection, list, nested, shown, string } from "#kit";
import { dhcpRanges } from "./dhcp-ranges.ts";
import { editedRows, pendingList, stateOfChange } from "./lists.ts";
import { readSubnets } from "./pending.ts";

/** `proxmox_sdn_subnets`. Server side: pve-network `src/PVE/API2/Network/SDN/Subnets.pm`, `index`. */
export const sdnSubnetsData = defineCollection({
  type: "proxmox_sdn_subnets",
  subcategory: "SDN",
  doc: "Subnets of all vnets of the SDN as they are configured, with what waits for a commit. It takes a call for each vnet. Those of vnets on which the caller lacks `SDN.Audit` and `SDN.Allocate` are not shown.",
  ...pendingList("/cluster/sdn/vnets"),
  items: "subnets",
  key: "id",
  filters: { vnet: "Only subnets of this vnet", zone: "Only subnets of this zone", cidr: "Only this network" },
  async rows({ api, answer, signal }) {
    const there = editedRows(answer).filter(({ state }) => state !== "deleted");
    const inVnets = await Promise.all(
      there.map(async ({ vnet }) =>
        editedRows(await readSubnets(api, String(vnet), { signal })).map((one) => ({ vnet, ...one })),
      ),
    );
    return inVnets.flat();
  },
  attributes: {
    id: shown(string(), "subnet", "Proxmox VE's name of the subnet, such as `lab-10.0.0.0-24`."),
    vnet: shown(string(), "vnet", "Vnet."),
    zone: shown(string(), "zone", "Zone of the vnet."),
    cidr: shown(string(), "cidr", "The network."),
    gateway: shown(string(), "gateway", "Address of the gateway."),
    snat: { ...shown(bool(), "snat", "Whether the nodes translate addresses of guests to their own."), absent: false },
    dns_zone_prefix: shown(string(), "dnszoneprefix", "What stands between the name of a guest and the domain."),
    dhcp_dns_server: shown(string(), "dhcp-dns-server", "DNS server that DHCP announces."),
    dhcp_ranges: {
      type: list(
        nested({
          start: { type: string(), mode: "computed", doc: "First address." },
          end: { type: string(), mode: "computed", doc: "Last address." },
        }),
      ),
      wire: "dhcp-range",
      repeated: true,
      as: dhcpRanges,
      doc: "Ranges that DHCP serves.",
    },
    state: stateOfChange,
  },
});
