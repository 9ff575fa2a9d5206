import { die } from "../core/kernel/failure.ts";
import { formatIp, type IpAddress, isInNetwork, parseIp, parseNetwork } from "../core/schema/ip-address.ts";
import type { IpamEntry } from "../core/world/sdn.ts";
import type { World } from "../core/world/world.ts";
import { allIpams, ownIpam } from "./ipams.ts";
import { type SubnetParts, subnetParts, subnetsOfVnet } from "./subnets.ts";

/*
 * PVE's own address management: pve-network `src/PVE/Network/SDN/{Subnets,Vnets,Ipams}.pm` and
 * `src/PVE/Network/SDN/Ipams/PVEPlugin.pm`. Addresses in a NetBox or phpIPAM are not simulated.
 */

const canon = (ip: string) => formatIp(parseIp(ip) as IpAddress);

/** Whether PVE's own IPAM manages the addresses of the zone. */
export function hasOwnIpam({ sdn }: World, zone: string): boolean {
  const ipam = sdn.zones[zone]?.options["ipam"];
  return ipam !== undefined && allIpams(sdn)[String(ipam)]?.type === ownIpam;
}

function subnetTable({ sdn }: World, { zone, cidr }: SubnetParts): Record<string, IpamEntry> {
  const subnets = sdn.addresses[zone] ?? die(`zone '${zone}' doesn't exist in IPAM DB`);
  return subnets[cidr] ?? die(`subnet '${cidr}' doesn't exist in IPAM DB`);
}

export function addSubnet({ sdn }: World, { zone, cidr }: SubnetParts): void {
  sdn.addresses[zone] ??= {};
  sdn.addresses[zone][cidr] ??= {};
}

/** A subnet is removed when only its gateway is left in it. */
export function removeSubnet(world: World, subnet: SubnetParts): void {
  const entries = Object.values(subnetTable(world, subnet));
  if (entries.length > 1 || entries.some(({ gateway }) => gateway !== 1)) {
    die(`cannot delete subnet '${subnet.cidr}', not empty`);
  }
  delete world.sdn.addresses[subnet.zone]?.[subnet.cidr];
}

export function addAddress(world: World, subnet: SubnetParts, address: string, entry: IpamEntry): void {
  const ip = canon(address);
  const table = subnetTable(world, subnet);
  const present = table[ip];
  if (present !== undefined && (entry.gateway !== 1 || present.gateway === undefined)) {
    die(`IP '${ip}' already exist`);
  }
  table[ip] = entry;
  if (entry.mac !== undefined) {
    remember(world, entry.mac, ip);
  }
}

export function removeAddress(world: World, subnet: SubnetParts, address: string, mac?: string): void {
  const ip = canon(address);
  const { zone, cidr } = subnet;
  const file = "/usr/share/perl5/PVE/Network/SDN/Ipams/PVEPlugin.pm";
  const zones = world.sdn.addresses[zone] ?? die(`zone ${zone} don't exist in ipam db at ${file} line 254.`);
  const table = zones[cidr] ?? die(`subnet ${cidr} don't exist in ipam db at ${file} line 256.`);
  if (table[ip] === undefined) {
    die(`IP '${ip}' does not exist in IPAM DB`);
  }
  delete table[ip];
  if (mac !== undefined) {
    forget(world, mac, ip);
  }
}

const slotOf = (ip: string) => (ip.includes(":") ? "ip6" : "ip4");

function remember({ sdn }: World, mac: string, ip: string): void {
  sdn.macs[mac] = { ...sdn.macs[mac], [slotOf(ip)]: ip };
}

function forget({ sdn }: World, mac: string, ip: string): void {
  const { [slotOf(ip)]: _, ...rest } = sdn.macs[mac] ?? {};
  delete sdn.macs[mac];
  if (Object.keys(rest).length > 0) {
    sdn.macs[mac] = rest;
  }
}

/** `get_ips_from_mac`: only zones with address management have any. */
export function addressesOfMac(world: World, vnet: string, mac: string): { ip4?: string; ip6?: string } {
  const zone = String(world.sdn.vnets[vnet]?.options["zone"]);
  const { ipam, dhcp } = world.sdn.zones[zone]?.options ?? {};
  if (ipam === undefined || dhcp === undefined) {
    return {};
  }
  const cached = world.sdn.macs[mac];
  if (cached !== undefined) {
    return cached;
  }
  const subnets =
    world.sdn.addresses[zone] ??
    die(`zone ${zone} don't exist in ipam db at /usr/share/perl5/PVE/Network/SDN/Ipams/PVEPlugin.pm line 277.`);
  const found = Object.values(subnets).flatMap((table) => Object.keys(table).filter((ip) => table[ip]?.mac === mac));
  return Object.fromEntries(found.map((ip) => [slotOf(ip), ip]));
}

/** `get_subnet_from_vnet_ip`: the applied subnet of an address. */
export function subnetOfAddress(world: World, vnet: string, ip: string): SubnetParts & { readonly id: string } {
  const { sdn } = world;
  if (sdn.vnets[vnet] === undefined) {
    die("no sdn zone ID specified");
  }
  const id = subnetsOfVnet(world, vnet, "running").find((candidate) =>
    isInNetwork(parseNetwork(subnetParts(candidate).cidr), parseIp(ip)),
  );
  return id === undefined
    ? die(`can't find any subnet for ip ${ip} at /usr/share/perl5/PVE/Network/SDN/Subnets.pm line 115.`)
    : { id, ...subnetParts(id) };
}
