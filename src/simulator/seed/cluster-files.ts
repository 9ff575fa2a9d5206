import type { NotificationEntry } from "../core/world/notifications.ts";
import type { World } from "../core/world/world.ts";
import { splitSecrets } from "../notifications/entries.ts";
import { nodeKey } from "../sdn/fabric-config.ts";
import { asOptions } from "./as-options.ts";
import type { Seed } from "./seed-schema.ts";

const secrets = ["token", "password", "secret"];
const letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory";

function addNotifications(world: World, entries: Seed["notifications"]): void {
  for (const { name, type, note: _, ...options } of entries ?? []) {
    const given = options as NotificationEntry["options"];
    world.notifications[name] = { type, ...splitSecrets(given, (option) => secrets.includes(option)) };
  }
}

function addAcme({ acme }: World, { accounts = [], plugins = [] }: NonNullable<Seed["acme"]>): void {
  for (const [index, { name, contact, directory = letsEncrypt, tos, location }] of accounts.entries()) {
    acme.accounts[name] = {
      contact: contact.map((address) => (address.includes(":") ? address : `mailto:${address}`)),
      directory,
      location: location ?? new URL(`/acct/${index + 1}`, directory).href,
      createdAt: "2026-01-01T00:00:00Z",
      ...(tos === undefined ? {} : { tos }),
    };
  }
  for (const { id, type, note: _, ...options } of plugins) {
    const { data, ...rest } = asOptions(options);
    const decoded = data === undefined ? {} : { data: Buffer.from(String(data), "base64").toString("latin1") };
    acme.plugins[id] = { type, options: { ...rest, ...decoded } };
  }
}

/** Servers and fabrics, before zones and vnets use them. */
export function addSdnServers({ sdn }: World, seed: NonNullable<Seed["sdn"]>): void {
  for (const { ipam, type, note: _, ...options } of seed.ipams ?? []) {
    sdn.ipams[ipam] = { type, options: asOptions(options) };
  }
  for (const { dns, type, note: _, ...options } of seed.dns ?? []) {
    sdn.dns[dns] = { type, options: asOptions(options) };
  }
  for (const { note: _, ...options } of seed.fabrics ?? []) {
    sdn.fabrics[options.id] = { type: `${options.protocol}_fabric`, options: asOptions(options) };
  }
  for (const { note: _, ...options } of seed.fabric_nodes ?? []) {
    const key = nodeKey(options.fabric_id, options.node_id);
    sdn.fabrics[key] = { type: `${options.protocol}_node`, options: asOptions(options) };
  }
  for (const { note: _, ...options } of seed.prefix_lists ?? []) {
    sdn.prefixLists[options.id] = { type: "prefix-list", options: asOptions(options) };
  }
  for (const { note: _, ...options } of seed.route_map_entries ?? []) {
    sdn.routeMaps[`${options["route-map-id"]}_${options.order}`] = {
      type: "route-map-entry",
      options: asOptions(options),
    };
  }
}

/** Files below /etc/pve that belong to the whole cluster. */
export function addClusterFiles(world: World, seed: Seed): void {
  for (const { rule, type, note: _, ...options } of seed.ha_rules ?? []) {
    world.ha.rules[rule] = { type, options: asOptions(options) };
  }
  for (const { id, type, note: _, ...options } of seed.metric_servers ?? []) {
    world.metricServers[id] = { type, options: asOptions(options) };
  }
  for (const { id, note: _, ...options } of seed.realm_sync_jobs ?? []) {
    world.realmSyncJobs[id] = { type: "realm-sync", options: asOptions({ enabled: 1, ...options }) };
  }
  addNotifications(world, seed.notifications);
  if (seed.acme !== undefined) {
    addAcme(world, seed.acme);
  }
}
