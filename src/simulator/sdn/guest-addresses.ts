import { formatIp, parseIp } from "../core/schema/ip-address.ts";
import type { Section } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { addAddress, addressesOfMac, hasOwnIpam, removeAddress, subnetOfAddress } from "./addresses.ts";
import { rangesOf } from "./dhcp-ranges.ts";
import { subnetParts, subnetsOfVnet } from "./subnets.ts";

/*
 * Addresses that guests get from zones with DHCP: qemu-server `src/PVE/QemuServer/Network.pm` and pve-network
 * `src/PVE/Network/SDN/Vnets.pm`. What goes wrong here is only worth a warning there.
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

/** The vnet is in a zone that hands out addresses of PVE's own IPAM. */
function handsOut(world: World, vnet: string): boolean {
  const zone = String(world.sdn.vnets[vnet]?.options["zone"]);
  return world.sdn.zones[zone]?.options["dhcp"] !== undefined && hasOwnIpam(world, zone);
}

/** `add_next_free_cidr` for one IP version: the first address of the subnets' ranges that is free. */
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
    // PVE warns and goes on.
  }
}

/** A guest's configuration changes: cards that are new or elsewhere get an address, others give theirs back. */
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

/** `add_dhcp_mapping`: a guest that starts has an address, even if its zone had none to give before. */
export function requireGuestAddresses(world: World, vmid: number, config: Section): void {
  for (const [key, text] of Object.entries(config)) {
    const card = /^net\d+$/.test(key) ? cardOf(text) : undefined;
    if (card !== undefined) {
      tolerate(() => acquire(world, card, vmid, config["name"] ?? config["hostname"]));
    }
  }
}
