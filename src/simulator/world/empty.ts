import type { World } from "./world.ts";

/** A standalone node without users, storages or guests: what a seed fills. Each slice starts empty here. */
export function emptyWorld(): World {
  return {
    version: { version: "9.2.11", release: "9.2", repoid: "14a22df31c3a4b2e" },
    cluster: {
      name: undefined,
      options: {},
      local: "pve",
      qemuVersion: "11.0.0",
      behaviour: { agentAfterStart: 5, acpiShutdown: 2, statisticsCycle: 10 },
    },
    nodes: {},
    access: { users: {}, groups: {}, roles: {}, acl: [], realms: {}, pools: {} },
    storages: {},
    volumes: [],
    guests: {},
    tasks: [],
    ha: { resources: {}, rules: {}, services: {} },
    sdn: { zones: {}, vnets: {}, running: { zones: {}, vnets: {} } },
    mappings: { pci: {}, usb: {}, dir: {} },
    firewall: {},
    backupJobs: {},
    realmSyncJobs: {},
    metricServers: {},
    notifications: {},
    acme: { accounts: {}, plugins: {} },
    ceph: null,
  };
}
