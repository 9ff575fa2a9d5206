import { allOf, given, numeric, optionsIn } from "./fields.ts";
import type { Fields, Reader } from "./reader.ts";

const packedRange = (range: unknown): string =>
  typeof range === "string"
    ? range
    : Object.entries(range as Fields)
        .map(([name, value]) => `${name}=${value}`)
        .join(",");

/** The software-defined network as it is configured. Keys of its servers are left out. */
export async function exportSdn(reader: Reader): Promise<Fields> {
  const [zones, vnets, controllers, fabrics, fabricNodes, ipams, dns, addresses] = await Promise.all([
    reader.list("/cluster/sdn/zones"),
    reader.list("/cluster/sdn/vnets"),
    reader.list("/cluster/sdn/controllers"),
    reader.list("/cluster/sdn/fabrics/fabric"),
    reader.list("/cluster/sdn/fabrics/node"),
    reader.list("/cluster/sdn/ipams"),
    reader.list("/cluster/sdn/dns"),
    reader.list("/cluster/sdn/ipams/{ipam}/status", { ipam: "pve" }),
  ]);
  const subnets = await allOf(vnets, ({ vnet }) =>
    reader.list("/cluster/sdn/vnets/{vnet}/subnets", { vnet: String(vnet) }),
  );
  const [prefixLists, routeMapEntries] = await Promise.all([
    reader.listIfThere("/cluster/sdn/prefix-lists", { verbose: 1 }),
    reader.listIfThere("/cluster/sdn/route-maps/entries"),
  ]);
  const plain = (list: readonly Fields[], drop: readonly string[] = []) =>
    list.map((one) => optionsIn(one, ["state", ...drop]));
  return given({
    zones: plain(zones).filter(({ zone }) => zone !== "localnetwork"),
    vnets: plain(vnets, ["type"]),
    subnets: subnets.flat().map((one) => subnetOf(one)),
    controllers: plain(controllers),
    fabrics: plain(fabrics),
    fabric_nodes: plain(fabricNodes),
    prefix_lists: plain(prefixLists, ["type"]),
    route_map_entries: plain(routeMapEntries, ["type"]),
    ipams: plain(ipams, ["token"]).filter(({ ipam, type }) => !(ipam === "pve" && type === "pve")),
    dns: plain(dns, ["key"]),
    // Those of gateways follow from the subnets.
    addresses: addresses
      .filter(({ gateway }) => !numeric(gateway))
      .map(({ zone, subnet, ip, mac, hostname, vmid }) =>
        given({ zone, subnet, ip, mac, hostname, vmid: numeric(vmid) }),
      ),
  });
}

function subnetOf({ cidr, "dhcp-range": ranges, ...one }: Fields): Fields {
  const options = optionsIn(one, ["id", "mask", "network", "zone", "type", "state", "subnet"]);
  const packed = ((ranges ?? []) as readonly unknown[]).map((range) => packedRange(range));
  return { subnet: cidr, ...options, ...given({ "dhcp-range": packed }) };
}
