import { defaultSeed, type Simulator } from "#simulator";
import { type BenchOptions, ResourceBench } from "../resource-bench.ts";
import { sdn } from "./sdn-rows.ts";

/** A cluster with all that the rows refer to. */
export function seedForRows(): object {
  const seed = defaultSeed() as { guests: object[]; storages: object[] };
  const total_bytes = 1024 ** 4;
  const zfs = { storage: "zfs1", type: "zfspool", pool: "rpool/data", content: ["images"], total_bytes };
  const replicated = { vmid: 104, node: "pve1", config: { name: "db", scsi0: "zfs1:vm-104-disk-0,size=1M" } };
  const guests = [101, 102, 103].map((vmid) => ({ vmid, node: "pve1", config: { name: `web-${vmid}` } }));
  return {
    ...seed,
    storages: [...seed.storages, zfs],
    guests: [...seed.guests, ...guests, replicated],
    ha_resources: [102, 103].map((vmid) => ({ sid: `vm:${vmid}`, state: "stopped" })),
    groups: [{ groupid: "staff" }, { groupid: "guests" }],
    pools: [{ poolid: "blue" }, { poolid: "green" }],
    sdn,
    ceph: { rules: ["ssd"] },
  };
}

/** What the seed cannot hold. */
export function prepareForRows({ access, notifications }: Simulator["sim"]["world"]): void {
  const directory = { server1: "192.0.2.20", base_dn: "dc=example,dc=com", user_attr: "uid" };
  access.realms["directory"] = { type: "ldap", options: directory };
  notifications["spare"] = { type: "sendmail", options: { mailto: ["spare@example.com"] }, secrets: {} };
}

export async function openRowsBench(options: Omit<BenchOptions, "seed"> = {}): Promise<ResourceBench> {
  const env = { PROXMOX_VE_LOCK_WAITS: "10ms,20ms,40ms,80ms", ...options.env };
  const bench = await ResourceBench.open({ ...options, env, seed: seedForRows() });
  prepareForRows(bench.simulator.sim.world);
  return bench;
}

/** Servers elsewhere, and directories of nodes, are not looked at before the storage is there. */
export const isUnforeseeable = (reason: unknown): boolean => String(reason).includes("unable to activate storage");
