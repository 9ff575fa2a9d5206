import { formatIp, parseIp } from "../core/schema/ip-address.ts";
import type { Section } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { addAddress, addressesOfMac, hasOwnIpam, removeAddress, subnetOfAddress } from "./addresses.ts";
import { rangesOf } from "./dhcp-ranges.ts";
import { subnetParts, subnetsOfVnet } from "./subnets.ts";

/*
 * Addresses of guests in zones with DHCP: qemu-server `src/PVE/QemuServer/Network.pm` and pve-network
 * `src/PVE/Network/SDN/Vnets.pm`. Errors are only warnings there.
 */

interface Card {
  readonly bridge: string;
  readonly mac: string;
}

function cardOf(text: string | undefined): Card | undefined {
  const bridge = /(?:^|,)bridge=([^,]+)/.exec(text ?? "")?.[1];
  const mac = /(?:^|,)[\w-]+=((?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2})(?:,|$)/.exec(text ?? "")?.[1];
  return bridge === undefined || mac === undefined ? undefined : { bridge, mac };
}

/** Whether the vnet is in a zone that assigns addresses of PVE's own IPAM. */
function handsOut(world: World, vnet: string): boolean {
  const zone = String(world.sdn.vnets[vnet]?.options["zone"]);
  return world.sdn.zones[zone]?.options["dhcp"] !== undefined && hasOwnIpam(world, zone);
}

/** `add_next_free_cidr` for one IP version: the first free address of the subnets' ranges. */
function takeAddress(
  world: World,
  { bridge, mac }: Card,
  vmid: number,
  name: string | undefined,
  version: 4 | 6,
): void {
  for (const id of subnetsOfVnet(world, bridge, "running")) {
    const parts = subnetParts(id);
    const options = world.sdn.running.subnets[id]?.options ?? {};
    const taken = world.sdn.addresses[parts.zone]?.[parts.cidr] ?? {};
    const prefix = options["dnszoneprefix"];
    const hostname = `${name ?? ""}${prefix === undefined ? "" : `.${prefix}`}`;
    for (const { "start-address": first = "", "end-address": last = "" } of rangesOf(options)) {
      const [start, end] = [parseIp(first), parseIp(last)];
      for (let value = start?.value ?? 1n; start?.version === version && value <= (end?.value ?? 0n); value++) {
        const ip = formatIp({ version, value });
        if (taken[ip] === undefined) {
          addAddress(world, parts, ip, { vmid: String(vmid), mac, ...(hostname !== "" && { hostname }) });
          return;
        }
      }
    }
  }
}

function acquire(world: World, card: Card, vmid: number, name: string | undefined): void {
  if (handsOut(world, card.bridge)) {
    const present = addressesOfMac(world, card.bridge, card.mac);
    if (present.ip4 === undefined) {
      takeAddress(world, card, vmid, name, 4);
    }
    if (present.ip6 === undefined) {
      takeAddress(world, card, vmid, name, 6);
    }
  }
}

function release(world: World, { bridge, mac }: Card): void {
  if (handsOut(world, bridge)) {
    for (const ip of Object.values(addressesOfMac(world, bridge, mac))) {
      removeAddress(world, subnetOfAddress(world, bridge, ip), ip, mac);
    }
  }
}

function tolerate(body: () => void): void {
  try {
    body();
  } catch {
    // PVE warns and continues.
  }
}

/** After a change of a guest's configuration: new or moved cards get an address, others release theirs. */
export function moveGuestAddresses(world: World, vmid: number, before: Section, after: Section): void {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => /^net\d+$/.test(key)));
  for (const key of keys) {
    const [old, next] = [cardOf(before[key]), cardOf(after[key])];
    if (old?.bridge === next?.bridge && old?.mac === next?.mac) {
      continue;
    }
    if (old !== undefined) {
      tolerate(() => release(world, old));
    }
    if (next !== undefined) {
      tolerate(() => acquire(world, next, vmid, after["name"] ?? after["hostname"]));
    }
  }
}

/** `add_dhcp_mapping`: a guest gets an address when it starts, even if its zone had no free one before. */
export function requireGuestAddresses(world: World, vmid: number, config: Section): void {
  for (const [key, text] of Object.entries(config)) {
    const card = /^net\d+$/.test(key) ? cardOf(text) : undefined;
    if (card !== undefined) {
      tolerate(() => acquire(world, card, vmid, config["name"] ?? config["hostname"]));
    }
  }
}
