import type { SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { addAddress, addSubnet, hasOwnIpam } from "../sdn/addresses.ts";
import { commitSdn } from "../sdn/apply.ts";
import { sdnInterfaces } from "../sdn/node-files.ts";
import { subnetParts } from "../sdn/subnets.ts";
import { asOptions } from "./as-options.ts";
import { addClusterFiles, addSdnServers } from "./cluster-files.ts";
import { addFirewall } from "./firewall.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed } from "./seed-schema.ts";

type Options = SectionOptions;

function addCeph(world: World, { pools = [], flags = [], rules = [] }: NonNullable<Seed["ceph"]>): void {
  const usual = { size: 3, min_size: 2, pg_num: 128, pg_autoscale_mode: "warn", crush_rule: "replicated_rule" };
  const entries = pools.map(({ name, note: _, ...given }, index) => {
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return [name, { id: index + 1, application: "rbd", ...usual, ...set }] as const;
  });
  const known = new Set([usual.crush_rule, ...rules, ...entries.map(([, { crush_rule }]) => crush_rule)]);
  const fsid = "00000000-0000-4000-8000-00000000ce9f";
  world.ceph = { fsid, flags, rules: [...known], pools: Object.fromEntries(entries) };
}

function addDirectories(world: World, seed: Seed): void {
  for (const { realm, users = [], groups = [] } of seed.directories ?? []) {
    world.access.directories ??= {};
    world.access.directories[realm] = {
      users: users.map(({ note: _, ...user }) => JSON.parse(JSON.stringify(user))),
      groups: groups.map(({ name, members }) => ({ name, members: members ?? [] })),
    };
  }
}

/** Backup and replication jobs, and custom processor models. */
function addJobs(world: World, seed: Seed): void {
  for (const { id, note: _, ...options } of seed.backup_jobs ?? []) {
    world.backupJobs[id] = { type: "vzdump", options: asOptions({ enabled: 1, ...options }) };
  }
  for (const { id, note: _, type: __, ...options } of seed.replication_jobs ?? []) {
    const source = world.guests[id.replace(/-.*/, "")]?.node;
    world.replication.jobs[id] = { type: "local", options: asOptions({ source, ...options }) };
  }
  for (const { cputype, note: _, ...options } of seed.custom_cpu_models ?? []) {
    world.cpuModels[cputype.replace(/^custom-/, "")] = { type: "cpu-model", options: asOptions(options) };
  }
}

/** HA resources, hardware mappings, zones and vnets: sections of configuration files, written as they are. */
export function addSections(world: World, seed: Seed): void {
  if (seed.ceph !== undefined) {
    addCeph(world, seed.ceph);
  }
  addDirectories(world, seed);
  addJobs(world, seed);
  addClusterFiles(world, seed);
  for (const { sid, note: _, ...options } of seed.ha_resources ?? []) {
    world.ha.resources[sid] = { type: sid.startsWith("ct:") ? "ct" : "vm", options: asOptions(options) };
  }
  for (const type of ["pci", "usb", "dir"] as const) {
    for (const { id, note: _, ...options } of seed.mappings?.[type] ?? []) {
      world.mappings[type][id] = { type, options: asOptions(options) };
    }
  }
  addSdnServers(world, seed.sdn ?? {});
  for (const { zone, type, note: _, status: __, bridges: ___, ...options } of seed.sdn?.zones ?? []) {
    // The zone of the nodes' own bridges is always there.
    if (zone !== "localnetwork") {
      world.sdn.zones[zone] = { type: type ?? "simple", options: asOptions(options) };
    }
  }
  for (const { vnet, note: _, ...options } of seed.sdn?.vnets ?? []) {
    world.sdn.vnets[vnet] = { type: "vnet", options: asOptions(options) };
  }
  for (const { subnet, note: _, ...options } of seed.sdn?.subnets ?? []) {
    addSeedSubnet(world, subnet, asOptions(options));
  }
  for (const { controller, type, note: _, ...options } of seed.sdn?.controllers ?? []) {
    world.sdn.controllers[controller] = { type, options: asOptions(options) };
  }
  if (Object.keys(world.sdn.zones).length + Object.keys(world.sdn.fabrics).length > 0) {
    applySdn(world);
  }
  addAddresses(world, seed.sdn?.addresses ?? []);
  addFirewall(world, seed);
}

/** A subnet with its gateway, in the address management of a zone that has one. */
function addSeedSubnet(world: World, cidr: string, options: Options): void {
  const zone = String(world.sdn.vnets[String(options["vnet"])]?.options["zone"]);
  const id = `${zone}-${cidr.replace("/", "-")}`;
  world.sdn.subnets[id] = { type: "subnet", options };
  if (hasOwnIpam(world, zone)) {
    addSubnet(world, subnetParts(id));
    if (options["gateway"] !== undefined) {
      addAddress(world, subnetParts(id), String(options["gateway"]), { gateway: 1 });
    }
  }
}

function addAddresses(world: World, addresses: NonNullable<NonNullable<Seed["sdn"]>["addresses"]>): void {
  for (const [index, { zone, subnet, ip, vmid, mac, hostname }] of addresses.entries()) {
    if (world.sdn.addresses[zone]?.[subnet] === undefined) {
      throw new SeedError(`sdn.addresses[${index}].subnet`, `zone '${zone}' has no subnet '${subnet}' with addresses`);
    }
    addAddress(world, subnetParts(`${zone}-${subnet.replace("/", "-")}`), ip, {
      ...(vmid !== undefined && { vmid: String(vmid) }),
      ...(hostname !== undefined && { hostname }),
      ...(mac !== undefined && { mac }),
    });
  }
}

/** A seed's SDN configuration is in effect on every node. */
function applySdn(world: World): void {
  commitSdn(world);
  for (const host of Object.values(world.nodes)) {
    host.sdnInterfaces = sdnInterfaces(world.sdn.running, host, world.sdn.running.version);
  }
}
