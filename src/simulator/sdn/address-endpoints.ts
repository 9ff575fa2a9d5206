import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { ipFormat, macAddressFormat } from "../core/schema/network-formats.ts";
import { string } from "../core/schema/schema.ts";
import { vmid } from "../core/schema/standard-options.ts";
import type { World } from "../core/world/world.ts";
import { addAddress, addressesOfMac, hasOwnIpam, removeAddress, subnetOfAddress } from "./addresses.ts";
import { vnetId, zoneId } from "./formats.ts";

interface Mapping {
  readonly vnet: string;
  readonly ip: string;
  readonly mac?: string | undefined;
  readonly vmid?: number | undefined;
}

function add(world: World, { vnet, ip, mac, vmid: guest }: Mapping): void {
  const subnet = subnetOfAddress(world, vnet, ip);
  const prefix = world.sdn.running.subnets[subnet.id]?.options["dnszoneprefix"];
  if (hasOwnIpam(world, String(world.sdn.vnets[vnet]?.options["zone"]))) {
    addAddress(world, subnet, ip, {
      ...(guest !== undefined && { vmid: String(guest) }),
      ...(prefix !== undefined && { hostname: `.${prefix}` }),
      ...(mac !== undefined && { mac }),
    });
  }
}

function remove(world: World, { vnet, ip, mac }: Mapping): void {
  const subnet = subnetOfAddress(world, vnet, ip);
  if (hasOwnIpam(world, String(world.sdn.vnets[vnet]?.options["zone"]))) {
    removeAddress(world, subnet, ip, mac);
  }
}

/** The new address replaces the card's previous one; if it is not free, the previous one is restored. */
function replace(world: World, mapping: Mapping): void {
  const old = addressesOfMac(world, mapping.vnet, String(mapping.mac))[mapping.ip.includes(":") ? "ip6" : "ip4"] ?? "";
  remove(world, { ...mapping, ip: old });
  try {
    add(world, mapping);
  } catch (thrown) {
    add(world, { ...mapping, ip: old });
    die(`${failureText(thrown)}\n`);
  }
}

const path = "/cluster/sdn/vnets/{vnet}/ips";
const parameters = {
  zone: zoneId,
  vnet: vnetId,
  ip: string({ format: ipFormat }),
  mac: string({ optional: true, format: macAddressFormat }),
};
const common = {
  path,
  protected: true,
  permissions: { check: ["perm", "/sdn/zones/{zone}/{vnet}", ["SDN.Allocate"]] },
} as const;

const change = async (call: Pick<Call, "lock">, body: () => void): Promise<null> => {
  await call.lock(clusterFileLock("sdn/pve-ipam-state.json"), {}, body);
  return null;
};

/** pve-network `src/PVE/API2/Network/SDN/Ips.pm`. */
export const addressEndpoints = [
  endpoint({
    ...common,
    method: "POST",
    parameters,
    handler: (call) => change(call, () => add(call.world, call.params)),
  }),
  endpoint({
    ...common,
    method: "PUT",
    parameters: { ...parameters, vmid: { ...vmid, optional: true } },
    handler: (call) => change(call, () => replace(call.world, call.params)),
  }),
  endpoint({
    ...common,
    method: "DELETE",
    parameters,
    handler: (call) =>
      change(call, () => {
        try {
          remove(call.world, call.params);
        } catch (thrown) {
          die(`${failureText(thrown)}\n`);
        }
      }),
  }),
];
