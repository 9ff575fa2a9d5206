import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderErrors } from "../../harness/resource-calls.ts";
import { attribute } from "../resource-bench.ts";
import { askAsOther } from "../vm/suite.ts";
import { Bench, fromImage, remainsOf, rootfs } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterAll(() => bench.close());

const pathOf = (vmid: number) => `/nodes/pve1/lxc/${vmid}/config`;

describe("a container that others have changed", () => {
  test("is the same although its only card has another MAC address", async () => {
    const config = {
      ...fromImage,
      vmid: 640,
      name: "card",
      mounts: { rootfs },
      networks: { net0: { bridge: "vmbr0" } },
    };
    const made = await bench.container.create(config);
    await askAsOther(bench, "PUT", pathOf(640), { net0: "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:11:22" });
    const seen = await bench.container.refresh(made);
    expect(attribute(seen, "vmid")).toBe(640);
    await bench.container.destroy(seen);
    expect(bench.has(640)).toBe(false);
  });

  test("is another one if it has neither a card nor the name of the one that was created", async () => {
    const config = { ...fromImage, vmid: 641, name: "mine", power: "stopped", mounts: { rootfs } };
    const made = await bench.container.create(config);
    await askAsOther(bench, "DELETE", "/nodes/pve1/lxc/641", {});
    const theirs = { vmid: "641", hostname: "theirs", ostemplate: fromImage.image.volume, rootfs: "ceph:2" };
    expect(await askAsOther(bench, "POST", "/nodes/pve1/lxc", theirs)).toBe(true);
    await bench.configure();
    expect(await bench.container.find(made)).toBeNull();
    await bench.container.destroy(made);
    expect(bench.config(641)["hostname"]).toBe("theirs");
  });

  test("without a card is neither changed nor destroyed if it has another name on the same volume", async () => {
    const config = { ...fromImage, vmid: 645, name: "mine", power: "stopped", mounts: { rootfs } };
    const made = await bench.container.create(config);
    const volume = String(bench.config(645)["rootfs"]).split(",")[0] ?? "";
    await askAsOther(bench, "DELETE", "/nodes/pve1/lxc/645", {});
    const storage = volume.split(":")[0];
    const theirs = { vmid: "645", hostname: "theirs", ostemplate: fromImage.image.volume, rootfs: `${storage}:2` };
    expect(await askAsOther(bench, "POST", "/nodes/pve1/lxc", theirs)).toBe(true);
    expect(String(bench.config(645)["rootfs"])).toContain(volume);
    await bench.configure();
    const refused = /Container 645 may be another one[\s\S]*pct set 645 --hostname mine[\s\S]*terraform state rm/;
    await expect(bench.container.find(made)).rejects.toThrow(refused);
    await expect(bench.container.destroy(made)).rejects.toThrow(refused);
    expect(bench.config(645)["hostname"]).toBe("theirs");
    // The same one, renamed by hand, is ours again under its old name.
    await askAsOther(bench, "PUT", pathOf(645), { hostname: "mine" });
    await bench.container.destroy(made);
    expect(bench.has(645)).toBe(false);
  });

  test.each([
    ["deletes it", 642, "DELETE", {}, /^PlanResourceChange: Container is gone: Container 642 does not exist any more/],
    [
      "removes a slot",
      643,
      "PUT",
      { delete: "net0" },
      /^PlanResourceChange: Changed by others[^\n]*slots are gone \(net0\)/,
    ],
    [
      "gives a card another address",
      644,
      "PUT",
      { net0: "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:11:33" },
      /^PlanResourceChange: Changed by others[^\n]*other MAC addresses \(net0\)/,
    ],
  ] as [string, number, string, Record<string, string>, RegExp][])(
    "is not changed by a plan from before another user %s",
    async (_, vmid, method, theirs, message) => {
      const card = { bridge: "vmbr0", name: "eth0" };
      const config = {
        ...fromImage,
        vmid,
        name: `late-${vmid}`,
        power: "stopped",
        mounts: { rootfs },
        networks: { net0: card },
      };
      const made = await bench.container.create(config);
      const next = { ...config, memory: { size: "1G" }, networks: { net0: { ...card, vlan: 7 } } };
      const plan = await bench.container.plan(await bench.container.refresh(made), next);
      const path = method === "DELETE" ? `/nodes/pve1/lxc/${vmid}` : pathOf(vmid);
      expect(await askAsOther(bench, method, path, theirs)).toBe(true);
      await bench.configure();
      const refused = bench.container.apply(plan, next);
      await expect(refused).rejects.toThrow(message);
      const { diagnostics } = (await refused.catch((reason: unknown) => reason)) as ProviderErrors;
      expect(diagnostics.length).toBe(1);
    },
  );
});

describe("a change that fails", () => {
  test("leaves slots that it has added to Terraform, and a container that it has stopped is started again", async () => {
    const config = { ...fromImage, vmid: 650, name: "half", restart_policy: "when_needed", mounts: { rootfs } };
    const made = await bench.container.create(config);
    const more = { ...config, mounts: { rootfs: { ...rootfs, storage: "ceph" }, mp0: { ...rootfs, path: "/data" } } };
    bench.simulator.faults.order({ do: "fail", task: "vzstart", text: "no such device" });
    const left = await remainsOf(bench.container.update(made, more));
    expect(bench.config(650)["mp0"]).toBeDefined();
    expect(bench.guest(650).run).toBeUndefined();
    await bench.configure();
    const back = await bench.container.update(await bench.container.refresh(left), config);
    expect(bench.config(650)["mp0"]).toBeUndefined();
    expect(bench.guest(650).run).toBeDefined();
    await bench.container.destroy(back);
  });
});

test("a container keeps its root file system if the line is taken out", async () => {
  const mounts = { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/data" } };
  const config = { ...fromImage, vmid: 651, name: "rooted", power: "stopped" };
  const made = await bench.container.create({ ...config, mounts });
  const plan = await bench.container.plan(await bench.container.refresh(made), {
    ...config,
    mounts: { mp0: mounts.mp0 },
  });
  expect(plan.warnings.map(({ summary }) => summary)).not.toContain("rootfs leaves the container");
  const less = await bench.container.apply(plan);
  const none = await bench.container.update(less, config);
  expect(bench.config(651)).toMatchObject({ rootfs: "local-lvm:vm-651-disk-0,size=4G" });
  await bench.container.destroy(none);
});

test("a directory of the host leaves a container without a word about a volume", async () => {
  const mounts = { rootfs, mp0: { host_path: "/srv/shared", path: "/shared" } };
  const config = { ...fromImage, vmid: 652, name: "bound", power: "stopped" };
  const root = await Bench.openWith({ as: "root@pam" });
  const made = await root.container.create({ ...config, mounts });
  const plan = await root.container.plan(await root.container.refresh(made), { ...config, mounts: { rootfs } });
  expect(plan.warnings.map(({ detail }) => detail)).toEqual(["`mp0` of container 652 is removed."]);
  await root.container.destroy(await root.container.apply(plan));
  await root.close();
});

test("tags that mean the same are refused", async () => {
  const config = { ...fromImage, name: "tagged", tags: ["A", "a"] };
  await expect(bench.container.plan(null, config)).rejects.toThrow(
    /`A` and `a` mean the same|`a` and `A` mean the same/,
  );
});

test("a template and its linked clones are destroyed in one run", async () => {
  const config = {
    ...fromImage,
    vmid: 660,
    name: "base",
    template: true,
    mounts: { rootfs: { storage: "local-zfs", size: "2G" } },
  };
  const base = await bench.container.create(config);
  const clone = await bench.container.create({
    vmid: 661,
    name: "linked",
    clone: { template: "base" },
    power: "stopped",
  });
  expect(bench.config(661)["rootfs"]).toContain("basevol-660");
  await Promise.all([bench.container.destroy(base), bench.container.destroy(clone)]);
  expect([bench.has(660), bench.has(661)]).toEqual([false, false]);
});

test("a volume that its storage does not have refuses a plan that needs it, and no other", async () => {
  const config = { ...fromImage, vmid: 690, name: "lost", power: "stopped", mounts: { rootfs } };
  const made = await bench.container.create(config);
  const { world } = bench.simulator.sim;
  world.volumes = world.volumes.filter(({ volid }) => !volid.includes("-690-"));
  const now = await bench.container.refresh(made);
  const plan = async (more: object) => {
    await bench.configure();
    return bench.container.plan(now, { ...config, ...more });
  };
  expect((await plan({ description: "new" })).action).toBe("update");
  await expect(plan({ power: "running" })).rejects.toThrow(/No such volume.*-690-disk-0/);
  await expect(plan({ mounts: { rootfs: { ...rootfs, size: "20G" } } })).rejects.toThrow(/No such volume.*-690-disk-0/);
});
