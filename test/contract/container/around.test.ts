import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { LookupBench } from "../data-sources/lookup-bench.ts";
import { invoke, query } from "../vm/streams.ts";

const container = (vmid: number, hostname: string, more: object = {}) => ({
  vmid,
  type: "lxc",
  node: "pve1",
  config: {
    hostname,
    arch: "amd64",
    ostype: "debian",
    memory: 512,
    unprivileged: 1,
    rootfs: `local-zfs:subvol-${vmid}-disk-0,size=1G`,
    net0: `name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:${String(vmid).slice(-2)},ip=10.0.0.${vmid - 300}/24,type=veth`,
  },
  ...more,
});

let bench: LookupBench;

beforeAll(async () => {
  const guests = [container(311, "up", { running: true }), container(312, "down")];
  bench = await LookupBench.open({ seed: { ...(defaultSeed() as object), guests } });
});
beforeEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const isRunning = (vmid: number) => bench.simulator.sim.world.guests[vmid]?.run !== undefined;
const act = (type: string, config: Record<string, string | number | boolean>) =>
  invoke(bench.provider, `proxmox_container_${type}`, config);

describe("actions on containers", () => {
  test("start, reboot, shut down and stop them; what is so already is left alone", async () => {
    expect((await act("start", { vmid: 312 })).diagnostics).toEqual([]);
    expect(isRunning(312)).toBe(true);
    expect((await act("start", { vmid: 312 })).progress).toEqual(["Container 312: running already"]);
    expect((await act("resume", { vmid: 312 })).progress).toEqual(["Container 312: running already"]);
    expect((await act("reboot", { vmid: 312 })).diagnostics).toEqual([]);
    expect((await act("shutdown", { vmid: 312 })).diagnostics).toEqual([]);
    expect(isRunning(312)).toBe(false);
    expect((await act("stop", { vmid: 311 })).diagnostics).toEqual([]);
    expect(isRunning(311)).toBe(false);
  });

  test("take a snapshot, and go back to it", async () => {
    expect((await act("snapshot", { vmid: 312, name: "before" })).diagnostics).toEqual([]);
    expect(bench.simulator.sim.world.guests[312]?.snapshots).toHaveProperty("before");
    expect((await act("rollback", { vmid: 312, name: "before" })).diagnostics).toEqual([]);
  });

  test("move them to another node", async () => {
    expect((await act("migrate", { vmid: 312, node: "pve2" })).diagnostics).toEqual([]);
    expect(bench.simulator.sim.world.guests[312]?.node).toBe("pve2");
  });

  test("report why a container cannot be suspended", async () => {
    const { diagnostics } = await act("suspend", { vmid: 311 });
    expect(diagnostics).toMatchObject([{ severity: "ERROR" }]);
    expect(diagnostics[0]?.detail).toContain("lxc-checkpoint");
  });
});

test("a query lists containers and no VM", async () => {
  const events = await query(bench.provider, { name: "*" }, { type: "proxmox_container" });
  expect(events.map(({ display_name }) => display_name)).toEqual(["up (311 on pve1)", "down (312 on pve1)"]);
});

describe("data sources", () => {
  test("find a container by its name or VMID, with the addresses it has now", async () => {
    const { found } = await bench.lookUp("proxmox_container", { name: "up", addresses: "interfaces" });
    const rootfs = { storage: "local-zfs", size: "1G" };
    expect(found).toMatchObject({ vmid: 311, unprivileged: true, ipv4_address: "10.0.0.11", mounts: { rootfs } });
    const byId = await bench.lookUp("proxmox_container", { vmid: 312 });
    expect(byId.found).toMatchObject({ name: "down", status: "stopped", ipv4_address: "10.0.0.12" });
  });

  test("find containers by filters, and no VM", async () => {
    const { found } = await bench.lookUp("proxmox_containers", { status: "running", addresses: "configured" });
    expect(found).toMatchObject({ vmids: { up: 311 }, ipv4_addresses: { up: "10.0.0.11" } });
    const all = await bench.lookUp("proxmox_containers");
    expect(all.found).toMatchObject({ vmids: { up: 311, down: 312 } });
    expect((await bench.lookUp("proxmox_containers", { name: "none-*" })).found).toMatchObject({ containers: [] });
  });

  test("say which containers there are when one is missing", async () => {
    await expect(bench.lookUp("proxmox_container", { name: "upp" })).rejects.toThrow(/upp/);
    await expect(bench.lookUp("proxmox_container", { vmid: 999 })).rejects.toThrow(/999/);
  });
});
