import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench, fromImage, rootfs } from "./suite.ts";

let bench: Bench;
let nextVmid = 700;

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterEach(() => bench.simulator.faults.clear());
afterAll(() => bench.close());

/** Makes a container, changes its configuration, and returns what the server has before and after. */
async function change(power: "running" | "stopped", before: object, after: object, restart = false) {
  const vmid = nextVmid++;
  const policy = restart ? { restart_policy: "when_needed" } : {};
  const common = { ...fromImage, name: `ct-${vmid}`, vmid, power, mounts: { rootfs }, ...policy };
  const made = await bench.container.create({ ...common, ...before } as Input);
  const old = bench.config(vmid);
  const updated = await bench.container.update(made, { ...common, ...after } as Input);
  return { vmid, made, updated, old, now: bench.config(vmid), config: { ...common, ...after } as Input };
}

describe.each(["running", "stopped"] as const)("a %s container", (power) => {
  test("gets more cores and memory at once", async () => {
    const { now, updated } = await change(
      power,
      {},
      { cpu: { cores: 4, limit: 1.5 }, memory: { size: "2G", swap: "1G" } },
    );
    expect(now).toMatchObject({ cores: "4", cpulimit: "1.5", memory: "2048", swap: "1024" });
    expect(attribute(updated, "pending")).toEqual([]);
  });

  test("keeps the MAC address when its card changes", async () => {
    const card = (more: object) => ({ networks: { net0: { bridge: "vmbr0", ...more } } });
    const { old, now } = await change(power, card({ vlan: 10 }), card({ ipv4: { address: "dhcp" }, firewall: true }));
    const mac = /hwaddr=([0-9A-F:]+)/.exec(old["net0"] ?? "")?.[1];
    expect(mac).toBeDefined();
    expect(now["net0"]).toContain(`hwaddr=${mac}`);
    expect(now["net0"]).not.toContain("tag=10");
  });

  test("gets exactly the variables that are written", async () => {
    const env = (variables: object) => ({ env: variables, restart_policy: "when_needed" });
    const one = await change(power, env({ A: "1", B: "2" }), env({ A: "9", B: "2" }));
    expect(one.now["env"]).toBe("A=9\0B=2");
    const less = await change(power, env({ A: "1", B: "2" }), env({ B: "2" }));
    expect(less.now["env"]).toBe("B=2");
    const none = await change(power, env({ A: "1" }), env({}));
    expect(none.now["env"]).toBeUndefined();
  });

  test("grows its volumes, and the same size again is no change", async () => {
    const sizes = (root: string, data: string) => ({
      mounts: { rootfs: { ...rootfs, size: root }, mp0: { storage: "local-lvm", size: data, path: "/data" } },
    });
    const { now, updated, config } = await change(power, sizes("4G", "1G"), sizes("5G", "2G"));
    expect(now["rootfs"]).toContain("size=5G");
    expect(now["mp0"]).toContain("size=2G");
    expect((await bench.container.plan(updated, config)).action).toBe("no-op");
  });

  test("gets and loses a mount point, whose data is kept", async () => {
    const two = { mounts: { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/data" } } };
    const { vmid, updated } = await change(power, two, {});
    expect(bench.volumes(vmid)).toContain(`local-lvm:vm-${vmid}-disk-1`);
    const pending = power === "running" ? ["mp0"] : [];
    expect(attribute(updated, "pending")).toEqual(pending);
    expect(attribute(updated, "unused_disks")).toEqual(
      power === "running" ? {} : { unused0: `local-lvm:vm-${vmid}-disk-1` },
    );
  });

  test("gets a mount point whose path contains a blank", async () => {
    const mounts = { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/srv/x y" } };
    const { now, updated, config } = await change(power, {}, { mounts });
    expect(now["mp0"]).toContain(",mp=/srv/x y,");
    expect((await bench.container.plan(await bench.container.refresh(updated), config)).action).toBe("no-op");
  });

  test("gets a mount point later, with options", async () => {
    const { now } = await change(
      power,
      {},
      {
        mounts: {
          rootfs,
          mp3: { storage: "local-zfs", size: "1G", path: "/srv", backup: true, options: ["noatime"], read_only: true },
        },
      },
    );
    expect(now["mp3"]).toMatch(/^local-zfs:subvol-\d+-disk-0,mp=\/srv,backup=1,mountoptions=noatime,ro=1,size=1G$/);
  });

  test("shows which changes wait for a restart", async () => {
    const { updated, config, now } = await change(
      power,
      {},
      {
        dns: { servers: ["192.0.2.1", "192.0.2.2"], search_domains: ["example.com"] },
        timezone: "Europe/Vienna",
        features: { nesting: true },
        console: { mode: "shell", ttys: 3 },
      },
    );
    expect(now).toMatchObject({
      nameserver: "192.0.2.1 192.0.2.2",
      timezone: "Europe/Vienna",
      features: "nesting=1",
      cmode: "shell",
    });
    const waiting = ["cmode", "features", "nameserver", "searchdomain", "timezone", "tty"];
    expect(attribute(updated, "pending")).toEqual(power === "running" ? waiting : []);
    expect((await bench.container.plan(updated, config)).action).toBe("no-op");
  });

  test("undoes what leaves the configuration", async () => {
    const { now } = await change(
      power,
      { memory: { size: "2G" }, cpu: { cores: 3 }, tags: ["x"], description: "notes", on_boot: true },
      {},
    );
    expect(now["memory"]).toBe("512");
    for (const option of ["cores", "tags", "description", "onboot"])
      expect((now[option] ?? "").trim(), option).toBe("");
  });

  test("is renamed, gets notes, tags, start order and protection", async () => {
    const { now } = await change(
      power,
      {},
      {
        name: `other-${power}`,
        description: "x",
        tags: ["b", "a"],
        startup: { order: 2, up_delay: 5 },
        on_boot: true,
        protection: true,
      },
    );
    expect(now).toMatchObject({
      hostname: `other-${power}`,
      tags: "a;b",
      startup: "2,up=5",
      onboot: "1",
      protection: "1",
    });
  });
});

describe("a restart", () => {
  test("is done for a change that needs one, if the policy allows it, and announced in the plan", async () => {
    const { vmid, updated } = await change("running", {}, { timezone: "UTC" }, true);
    expect(bench.guest(vmid).config["timezone"]).toBe("UTC");
    expect(attribute(updated, "pending")).toEqual([]);
  });

  test("moves a volume to another storage", async () => {
    const { now, vmid } = await change(
      "running",
      {},
      { mounts: { rootfs: { storage: "local-zfs", size: "4G" } } },
      true,
    );
    expect(now["rootfs"]).toBe(`local-zfs:subvol-${vmid}-disk-0,size=4G`);
    expect(bench.guest(vmid).run).toBeDefined();
    expect(bench.volumes(vmid)).toEqual([`local-zfs:subvol-${vmid}-disk-0`]);
  });

  test("deletes a mount with its data, if that is configured", async () => {
    const two = { mounts: { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/data", on_remove: "delete" } } };
    const { vmid, updated } = await change("running", two, {}, true);
    expect(bench.volumes(vmid)).toEqual([`local-lvm:vm-${vmid}-disk-0`]);
    expect(attribute(updated, "unused_disks")).toEqual({});
  });

  test("is demanded by the plan where Proxmox VE refuses the change of a running container", async () => {
    const moved = change("running", {}, { mounts: { rootfs: { storage: "local-zfs", size: "4G" } } });
    await expect(moved).rejects.toThrow(/The container must be stopped for this.*cannot be moved.*when_needed/s);
    const two = { mounts: { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/data", on_remove: "delete" } } };
    await expect(change("running", two, {})).rejects.toThrow(/must be stopped.*cannot be deleted/s);
  });

  test("grows a volume whose options wait for a restart", async () => {
    const options = (more: object) => ({ mounts: { rootfs: { ...rootfs, ...more } } });
    const { vmid, updated } = await change("running", {}, options({ options: ["noatime"] }));
    const common = { ...fromImage, name: `ct-${vmid}`, vmid, power: "running" };
    const grown = await bench.container.update(updated, {
      ...common,
      ...options({ options: ["noatime"], size: "6G" }),
    });
    expect(attribute(grown, "mounts")).toMatchObject({ rootfs: { size: "6G", options: ["noatime"] } });
    expect(attribute(grown, "pending")).toEqual(["rootfs"]);
  });
});

describe("placement", () => {
  test("another node migrates the container by a restart, which the plan announces", async () => {
    const common = { name: "mover", vmid: 780, image: fromImage.image, mounts: { rootfs } };
    const made = await bench.container.create({ ...common, node: "pve1" });
    const plan = await bench.container.plan(made, { ...common, node: "pve2" });
    expect(plan.action).toBe("update");
    expect(plan.warnings.map(({ summary }) => summary)).toContain("The container will be restarted");
    const moved = await bench.container.apply(plan);
    expect(bench.guest(780).node).toBe("pve2");
    expect(bench.guest(780).run).toBeDefined();
    bench.guest(780).node = "pve1";
    for (const volume of bench.simulator.sim.world.volumes)
      if (volume.vmid === 780) Object.assign(volume, { node: "pve1" });
    await bench.restart();
    const seen = await bench.container.refresh(moved);
    expect(attribute(seen as typeof moved, "node")).toBe("pve1");
    expect((await bench.container.plan(seen as typeof moved, { ...common, node: "pve2" })).action).toBe("no-op");
  });

  test("a container that does not shut down is stopped hard before it moves, unless that is ruled out", async () => {
    const move = (more: object) => ({ node: "pve2", shutdown: { timeout: "20s", ...more } });
    const hard = await change("running", {}, {});
    bench.guest(hard.vmid).behaviour.acpi = false;
    const config = { ...(hard.config as object), ...move({ force: false }) } as Input;
    await expect(bench.container.update(hard.updated, config)).rejects.toThrow(/20s to shut down and still runs/);
    expect(bench.guest(hard.vmid)).toMatchObject({ node: "pve1", run: expect.anything() });
    const forced = { ...(hard.config as object), ...move({}) } as Input;
    const moved = await bench.container.apply(await bench.container.plan(hard.updated, forced));
    expect(bench.guest(hard.vmid)).toMatchObject({ node: "pve2", run: expect.anything() });
    expect(moved.warnings?.map(({ summary }) => summary)).toContain("The guest was stopped hard");
  });

  test("a container becomes a template, though the call returns no task", async () => {
    const common = {
      ...fromImage,
      name: "golden-2",
      vmid: 781,
      power: "stopped",
      mounts: { rootfs: { storage: "local-zfs", size: "2G" } },
    };
    const made = await bench.container.create(common);
    const changed = await bench.container.update(made, { ...common, template: true });
    expect(attribute(changed, "template")).toBe(true);
    expect(bench.config(781)["template"]).toBe("1");
    const direct = await bench.container.create({ ...common, name: "golden-3", vmid: 782, template: true });
    expect(bench.config(782)["rootfs"]).toContain("basevol-782");
    await bench.container.destroy(direct);
  });

  test("a pool and HA are joined and left", async () => {
    const common = { ...fromImage, name: "pooled", vmid: 783, mounts: { rootfs } };
    const made = await bench.container.create({ ...common, pool: "lab", ha: { state: "started" } });
    expect(attribute(made, "pool")).toBe("lab");
    expect(bench.simulator.sim.world.ha.resources["ct:783"]?.options["state"]).toBe("started");
    const left = await bench.container.update(made, { ...common, pool: "" });
    expect(attribute(left, "pool")).toBe("");
    expect(bench.simulator.sim.world.ha.resources["ct:783"]).toBeUndefined();
    await bench.container.destroy(left);
  });
});

test("HA moves a container together with its local volumes, and the new node is followed", async () => {
  const common = { ...fromImage, name: "guarded", vmid: 790, mounts: { rootfs }, ha: { state: "started" } };
  const made = await bench.container.create(common);
  const volume = () => bench.simulator.sim.world.volumes.find(({ vmid }) => vmid === 790);
  expect(volume()?.node).toBe("pve1");
  const plan = await bench.container.plan(made, { ...common, node: "pve3" });
  const moved = await bench.container.apply(plan);
  expect(bench.guest(790).node).toBe("pve3");
  expect(volume()?.node).toBe("pve3");
  expect(bench.guest(790).run).toBeDefined();
  await bench.container.expectSettled(moved, { ...common, node: "pve3" });
  await bench.container.destroy(moved);
});

test.each([
  ["stopped", "running"],
  ["running", "stopped"],
])("a %s container that another user makes %s at the same moment is no failure", async (before, after) => {
  const vmid = nextVmid++;
  const common = { ...fromImage, name: `ct-${vmid}`, vmid, mounts: { rootfs } };
  const made = await bench.container.create({ ...common, power: "running" });
  const { run } = bench.guest(vmid);
  const first = await bench.container.update(made, { ...common, power: before });
  const calls: string[] = [];
  let isApplied = false;
  const off = bench.simulator.sim.log.subscribe(({ method, path }) => {
    calls.push(`${method} ${path}`);
    if (isApplied && path === "/nodes/pve1/lxc")
      bench.guest(vmid).run = after === "running" ? structuredClone(run) : undefined;
  });
  const next = { ...common, power: after };
  const plan = await bench.container.plan(first, next);
  isApplied = true;
  const applied = await bench.container.apply(plan, next);
  off();
  expect(calls.filter((call) => /^POST .*status/.test(call))).toHaveLength(1);
  expect(attribute(applied, "status")).toBe(after);
  await bench.container.expectSettled(applied, next);
});

test("a move restarts a container, so nothing that was pending is planned as pending after it", async () => {
  const common = { ...fromImage, name: "restarted", vmid: 791, mounts: { rootfs: { ...rootfs, storage: "nas" } } };
  const made = await bench.container.create(common);
  const changed = { ...common, mounts: { rootfs: { ...common.mounts.rootfs, acl: false } } };
  const waiting = await bench.container.update(made, changed);
  expect(attribute(waiting, "pending")).toEqual(["rootfs"]);
  const moved = await bench.container.update(waiting, { ...changed, node: "pve2" });
  expect(attribute(moved, "pending")).toEqual([]);
  await bench.container.destroy(moved);
});

describe("mounts that leave and come back", () => {
  const mp0 = (more: object) => ({
    mounts: { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/data", ...more } },
  });

  test("a volume is deleted before the container is protected", async () => {
    const { vmid, now } = await change("stopped", mp0({ on_remove: "delete" }), { protection: true });
    expect(now["protection"]).toBe("1");
    expect(bench.volumes(vmid)).toEqual([`local-lvm:vm-${vmid}-disk-0`]);
  });

  test("a new volume in a slot whose removal is pending needs a stopped container, which the plan says", async () => {
    const { updated, config } = await change("running", mp0({}), {});
    const other = { ...(config as object), ...mp0({ storage: "local-zfs" }) } as Input;
    await expect(bench.container.plan(updated, other)).rejects.toThrow(/must be stopped.*gets a new volume/s);
  });

  test.each([true, false])(
    "so does another volume in its place, which grows there (removed before: %s)",
    async (isGone) => {
      const two = { mounts: { ...mp0({}).mounts, mp1: { storage: "local-zfs", size: "1G", path: "/more" } } };
      const { vmid, updated, old, config } = await change("stopped", two, mp0({}));
      const [volume = ""] = (old["mp1"] ?? "").split(",");
      const up = { ...(config as object), power: "running" };
      const started = await bench.container.update(updated, up as Input);
      const now = isGone ? await bench.container.update(started, { ...up, mounts: { rootfs } } as Input) : started;
      const other = { ...up, mounts: { rootfs, mp0: { volume, size: "3G", path: "/data" } } };
      await expect(bench.container.plan(now, other as Input)).rejects.toThrow(/must be stopped.*gets another volume/s);
      const exchanged = await bench.container.update(now, { ...other, restart_policy: "when_needed" } as Input);
      expect(bench.config(vmid)["mp0"]).toMatch(new RegExp(`^${volume},.*size=3G`));
      const unused = Object.values(attribute(exchanged, "unused_disks") as object);
      expect(unused).toEqual([`local-lvm:vm-${vmid}-disk-1`]);
      await bench.container.destroy(exchanged);
    },
  );

  test("a volume whose removal waits for a restart stays where it is if it is wanted again", async () => {
    const { vmid, updated, config } = await change("running", mp0({}), {});
    expect(bench.guest(vmid).pending.delete).toHaveProperty("mp0");
    const line = bench.guest(vmid).config["mp0"];
    const { storage: _, ...rest } = (mp0({}) as { mounts: { mp0: object } }).mounts.mp0 as Record<string, unknown>;
    const back = { ...(config as object), mounts: { rootfs, mp0: rest } } as Input;
    const again = await bench.container.update(updated, back);
    expect(bench.guest(vmid).pending).toEqual({ set: {}, delete: {} });
    expect(bench.guest(vmid).config["mp0"]).toBe(line);
    expect(attribute(again, "pending")).toEqual([]);
    await bench.container.expectSettled(again, back);
  });

  test("a line of another user that waits for a restart is taken back, in whichever order it was written", async () => {
    const wanted = mp0({ read_only: false, replicate: false });
    const { vmid, updated, config } = await change("running", wanted, wanted);
    const guest = bench.guest(vmid);
    const line = guest.config["mp0"] ?? "";
    guest.pending.set["mp0"] = `${line.replace(",ro=0", "")},ro=1`;
    await bench.configure();
    const after = await bench.container.update(await bench.container.refresh(updated), config);
    expect(bench.guest(vmid)).toMatchObject({ config: { mp0: line }, pending: { set: {}, delete: {} } });
    await bench.container.expectSettled(after, config);
  });

  test("one in a slot that the apply does not change stays, as the plan says", async () => {
    const wanted = mp0({ read_only: true });
    const { vmid, updated, config } = await change("running", wanted, wanted);
    const guest = bench.guest(vmid);
    const line = guest.config["mp0"] ?? "";
    guest.pending.set["mp0"] = `${line.replace(",ro=1", "")},ro=1`;
    await bench.configure();
    const kept = { ...(config as object), ...mp0({ read_only: true, on_remove: "detach" }) } as Input;
    const after = await bench.container.update(await bench.container.refresh(updated), kept);
    expect(attribute(after, "pending")).toEqual(["mp0"]);
    await bench.container.expectSettled(after, kept);
  });

  test("an option whose removal waits stays away when the container stops", async () => {
    const { vmid, updated, config } = await change("running", { debug: false }, {});
    expect(bench.guest(vmid)).toMatchObject({ config: { debug: "0" }, pending: { delete: { debug: 1 } } });
    bench.guest(vmid).run = undefined;
    await bench.configure();
    const stopped = { ...(config as object), power: "stopped", tags: ["a"] } as Input;
    const after = await bench.container.update(await bench.container.refresh(updated), stopped);
    await bench.container.expectSettled(after, stopped);
  });

  test("protection that is switched off beside a deleted volume is written", async () => {
    const { now } = await change("stopped", mp0({ on_remove: "delete" }), { protection: false });
    expect(now["protection"]).toBe("0");
  });

  test("a directory of the host takes the place of a volume that was detached", async () => {
    await bench.configure("root@pam");
    const vmid = nextVmid++;
    const common = { ...fromImage, name: `ct-${vmid}`, vmid, power: "stopped" };
    const data = { storage: "local-lvm", size: "1G", path: "/data" };
    const made = await bench.container.create({ ...common, mounts: { rootfs, mp0: data } });
    const without = await bench.container.update(made, { ...common, mounts: { rootfs } });
    const bound = { ...common, mounts: { rootfs, mp0: { host_path: "/srv/share", path: "/data" } } };
    const plan = await bench.container.plan(without, bound);
    expect(plan.warnings).toEqual([]);
    const after = await bench.container.apply(plan);
    expect(bench.config(vmid)).toMatchObject({ mp0: "/srv/share,mp=/data", unused0: `local-lvm:vm-${vmid}-disk-1` });
    await bench.container.destroy(after);
    await bench.configure();
  });
});
