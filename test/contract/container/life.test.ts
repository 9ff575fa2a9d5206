import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench, fromImage, remainsOf, rootfs } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterAll(() => bench.close());

describe("a container", () => {
  /** Both volumes have the same name, and the order of the answer says which is found first. */
  test.each(["1", "2", "3", "4"])(
    "is destroyed although an attempt has removed one of its volumes: order %s",
    async (order) => {
      bench.simulator.sim.untidiness?.restart(order);
      const mounts = {
        rootfs: { storage: "ceph", size: "4G" },
        mp0: { storage: "local-lvm", size: "2G", path: "/data" },
      };
      const made = await bench.container.create({ ...fromImage, vmid: 609, name: "half", power: "stopped", mounts });
      bench.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 1 });
      await expect(bench.container.destroy(made)).rejects.toThrow("Unable to delete container");
      expect(bench.volumes(609)).toEqual(["local-lvm:vm-609-disk-0"]);
      await bench.container.destroy(made);
      expect(bench.volumes(609)).toEqual([]);
      expect(await bench.container.find(made)).toBeNull();
    },
  );

  test("is replaced if an attempt to destroy it has removed one of its volumes", async () => {
    const config = {
      ...fromImage,
      vmid: 630,
      name: "again",
      power: "stopped",
      mounts: {
        rootfs: { storage: "ceph", size: "4G" },
        mp0: { storage: "local-lvm", size: "2G", path: "/data" },
      },
    };
    const made = await bench.container.create(config);
    bench.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 1 });
    const left = await remainsOf(bench.container.destroy(made));
    const plan = await bench.container.plan(await bench.container.refresh(left), config);
    expect(plan).toMatchObject({ action: "replace", replacePaths: ["id"] });
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("removed `ceph:vm-630-disk-0`, and then failed");
    const replaced = await bench.container.apply(plan);
    expect(bench.volumes(630)).toEqual(["ceph:vm-630-disk-0", "local-lvm:vm-630-disk-0"]);
    await bench.container.expectSettled(replaced, config);
    await bench.container.destroy(replaced);
  });

  test("stays if an attempt to destroy it has failed before anything was removed", async () => {
    const config = { ...fromImage, vmid: 631, name: "whole", power: "stopped", mounts: { rootfs } };
    const made = await bench.container.create(config);
    bench.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 1 });
    const left = await remainsOf(bench.container.destroy(made));
    expect((await bench.container.plan(await bench.container.refresh(left), config)).action).toBe("no-op");
    await bench.container.destroy(left);
  });

  test("is made from an image, planned again, changed in place and destroyed", async () => {
    const config = {
      ...fromImage,
      vmid: 601,
      name: "web",
      cpu: { cores: 2 },
      memory: { size: "1G", swap: "0" },
      mounts: { rootfs, mp0: { storage: "local-lvm", size: "2G", path: "/data" } },
      networks: { net0: { bridge: "vmbr0", ipv4: { address: "10.0.0.5/24", gateway: "10.0.0.1" } } },
      tags: ["a"],
      features: { nesting: true },
    };
    const made = await bench.container.create(config);
    expect(bench.config(601)).toMatchObject({
      hostname: "web",
      cores: "2",
      memory: "1024",
      swap: "0",
      unprivileged: "1",
      features: "nesting=1",
      tags: "a",
      rootfs: "local-lvm:vm-601-disk-0,size=4G",
      mp0: "local-lvm:vm-601-disk-1,mp=/data,size=2G",
    });
    expect(bench.config(601)["description"]).toBeUndefined();
    expect(bench.guest(601).run).toBeDefined();
    expect(attribute(made, "ipv4_address")).toBe("10.0.0.5");
    expect(attribute(made, "os_type")).toBe("debian");
    expect((await bench.container.plan(made, config)).action).toBe("no-op");
    const grown = {
      ...config,
      memory: { size: "2G", swap: "0" },
      mounts: { ...config.mounts, rootfs: { ...rootfs, size: "6G" } },
    };
    const changed = await bench.container.update(made, grown);
    expect(bench.config(601)).toMatchObject({ memory: "2048", rootfs: "local-lvm:vm-601-disk-0,size=6G" });
    await bench.container.destroy(changed);
    expect(bench.has(601)).toBe(false);
    expect(bench.volumes(601)).toEqual([]);
  });

  test("is cloned from a template, one clone at a time", async () => {
    const config = (vmid: number) => ({
      vmid,
      name: `copy-${vmid}`,
      clone: { template: "golden" },
      networks: { net0: { vlan: 5 } },
    });
    const vmids = [610, 611, 612];
    const plans = await Promise.all(vmids.map((vmid) => bench.container.plan(null, config(vmid))));
    const made = await Promise.all(plans.map((plan, index) => bench.container.apply(plan, config(vmids[index] ?? 0))));
    expect(bench.config(610)).toMatchObject({
      hostname: "copy-610",
      cores: "2",
      memory: "1024",
      features: "nesting=1",
    });
    expect(bench.config(610)["net0"]).toContain("tag=5");
    expect(bench.config(610)["net0"]).not.toContain("BC:24:11:00:91:00");
    for (const one of made) await bench.container.destroy(one);
  });
});
