import { describe, expect, it } from "vitest";
import type { GuestAddress } from "../../../src/pve/qemu.ts";
import { startCluster, tokens } from "./simulated-cluster.ts";

const vm: GuestAddress = { node: "pve1", vmid: 401 };

async function withRunningVm() {
  const cluster = await startCluster({ apiToken: tokens.root });
  const { client } = cluster;
  const run = (submit: () => Promise<string>) => client.operations.run(vm, { what: "set up", submit });
  await client.operations.clone({ source: { node: "pve1", vmid: 9000 }, request: { newid: vm.vmid } });
  await client.qemu.updateConfig(vm, { onboot: false, balloon: 0, cores: 2, cipassword: "first" });
  await run(() => client.power.start(vm));
  return cluster;
}

describe("what was read of a guest", () => {
  it("is known until this process writes to it", async () => {
    await using cluster = await withRunningVm();
    const { client } = cluster;
    expect(client.qemu.knownConfig(vm)).toBeUndefined();
    const config = await client.qemu.getConfig(vm);
    expect(client.qemu.knownConfig(vm)).toEqual(config);
    await client.qemu.updateConfig({ node: "pve1", vmid: 9001 }, { description: "another guest" }).catch(() => {});
    expect(client.qemu.knownConfig(vm)).toEqual(config);
    await client.qemu.updateConfig(vm, { description: "changed" });
    expect(client.qemu.knownConfig(vm)).toBeUndefined();
  });

  it("is not changed by callers that edit what they were given", async () => {
    await using cluster = await withRunningVm();
    const { client } = cluster;
    for (const given of [await client.qemu.getConfig(vm), client.qemu.knownConfig(vm)]) {
      const options: Record<string, unknown> = given?.options ?? {};
      delete options["name"];
      expect(client.qemu.knownConfig(vm)?.options["name"]).toBeDefined();
    }
  });

  it("is outdated by a write whose answer comes later than the read", async () => {
    await using cluster = await withRunningVm();
    const { client } = cluster;
    const writing = client.qemu.updateConfig(vm, { description: "changed" });
    await client.qemu.getConfig(vm);
    await writing;
    expect(client.qemu.knownConfig(vm)).toBeUndefined();
  });

  it("is outdated by the end of a task on it, and by a write that names no guest", async () => {
    await using cluster = await withRunningVm();
    const { client } = cluster;
    const upid = await client.power.stop(vm);
    await client.qemu.getConfig(vm);
    expect(client.qemu.knownConfig(vm)).toBeDefined();
    await client.watch.wait(upid);
    expect(client.qemu.knownConfig(vm)).toBeUndefined();
    await client.qemu.getConfig(vm);
    await client.pools.create("some");
    expect(client.qemu.knownConfig(vm)).toBeUndefined();
  });

  it("with pending changes includes the configuration as the API shows it", async () => {
    await using cluster = await withRunningVm();
    const { client } = cluster;
    // Changes of a value, of a password, a removal, the removal of a `0`, and a new option.
    await client.qemu.updateConfig(vm, { cores: 4, cipassword: "second", numa: true, delete: ["balloon", "ciuser"] });
    const pending = await client.qemu.listPending(vm);
    expect(pending.filter((option) => option.pending ?? option.delete).length).toBeGreaterThanOrEqual(2);
    const derived = client.qemu.knownConfig(vm);
    expect(derived).toBeDefined();
    expect(derived).toEqual(await client.qemu.getConfig(vm));
  });

  it("does not include a CPU model of its own, which PVE may hide in the configuration only", async () => {
    await using cluster = await withRunningVm();
    const { client, simulator } = cluster;
    Object.assign(simulator.sim.world.guests[vm.vmid]?.config ?? {}, { cpu: "custom-unheard-of" });
    await client.qemu.listPending(vm);
    expect(client.qemu.knownPending(vm)).toBeDefined();
    expect(client.qemu.knownConfig(vm)).toBeUndefined();
  });
});
