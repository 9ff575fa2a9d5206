import { describe, expect, it } from "vitest";
import { startCluster, template } from "./simulated-cluster.ts";

describe("the life cycle of a VM", () => {
  it("clone, configure, grow, start, stop, destroy: in few calls, each waited for", async () => {
    await using cluster = await startCluster();
    const { client } = cluster;
    const { vm, task, config } = await client.operations.clone({
      source: template,
      request: { newid: 401, name: "rancher-manager-1", full: true },
      storages: ["local-lvm"],
    });
    expect(vm).toEqual({ node: "pve1", vmid: 401 });
    expect(task.warnings).toEqual([]);
    expect(config).toMatchObject({ name: "rancher-manager-1", lock: undefined, isTemplate: false });

    await client.operations.run(vm, {
      what: "configure VM 401",
      submit: () =>
        client.qemu.updateConfig(vm, {
          cores: 4,
          memory: 8192,
          net0: "virtio,bridge=vmbr0,tag=20",
          boot: "order=scsi0;net0",
        }),
    });
    await client.operations.run(vm, {
      what: "grow scsi0",
      submit: () => client.disks.resize(vm, { disk: "scsi0", size: "100G" }),
    });
    await client.operations.run(vm, { what: "start VM 401", submit: () => client.power.start(vm) });
    expect(await client.qemu.getStatus(vm)).toMatchObject({ status: "running", vmid: 401 });
    expect((await client.qemu.getConfig(vm)).options).toMatchObject({
      cores: "4",
      memory: "8192",
      boot: "order=scsi0;net0",
      scsi0: expect.stringContaining("size=100G"),
      net0: expect.stringMatching(/^virtio=[0-9A-F:]{17},bridge=vmbr0,tag=20$/),
    });

    await client.operations.run(vm, { what: "stop VM 401", submit: () => client.power.stop(vm) });
    await client.operations.run(vm, { what: "destroy VM 401", submit: () => client.qemu.remove(vm, { purge: true }) });
    expect(await client.qemu.findConfig(vm)).toBeNull();
  });
});
