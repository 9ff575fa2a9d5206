import type { World } from "./world.ts";

/** A standalone node without users, storages or guests, which a seed fills. Each area's part starts empty. */
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
    lostVolumes: {},
    guests: {},
    tasks: [],
    ha: { resources: {}, rules: {}, services: {} },
    sdn: {
      zones: {},
      vnets: {},
      subnets: {},
      controllers: {},
      fabrics: {},
      prefixLists: {},
      routeMaps: {},
      ipams: {},
      dns: {},
      running: {
        version: 0,
        zones: {},
        vnets: {},
        subnets: {},
        controllers: {},
        fabrics: {},
        prefixLists: {},
        routeMaps: {},
      },
      addresses: {},
      macs: {},
    },
    mappings: { pci: {}, usb: {}, dir: {} },
    firewall: {},
    backupJobs: {},
    cpuModels: {},
    replication: { jobs: {}, states: {} },
    realmSyncJobs: {},
    metricServers: {},
    notifications: {},
    acme: { accounts: {}, plugins: {} },
    ceph: null,
  };
}

type Plain = Record<string, unknown>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds the members that an earlier version did not save. */
export function completeWorld(saved: World): World {
  return complete(saved as unknown as Plain, emptyWorld() as unknown as Plain) as unknown as World;
}

function complete(saved: Plain, empty: Plain): Plain {
  const missing = Object.entries(empty).map(([name, value]) => {
    const present = saved[name];
    return [name, isPlain(value) && isPlain(present) ? complete(present, value) : (present ?? value)];
  });
  return { ...saved, ...Object.fromEntries(missing) };
}
