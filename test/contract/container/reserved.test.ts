import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, fromImage, rootfs } from "./suite.ts";

const config = {
  ...fromImage,
  vmid: 660,
  name: "reserved",
  power: "stopped",
  mounts: { rootfs, mp0: { host_path: "/srv/share", path: "/share", read_only: true } },
  features: { nesting: true, keyctl: true, fuse: true },
  devices: { dev0: { path: "/dev/fuse", mode: "0666" } },
};

describe("options that PVE reserves for root@pam", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.openWith();
  });
  afterAll(() => bench.close());

  test.each([
    ["a bind mount", { mounts: config.mounts }, "mounts.mp0", "id_map"],
    ["a feature", { features: config.features }, "features", "keyctl"],
    ["a device", { devices: config.devices }, "devices.dev0", "proxmox_hardware_mapping"],
    [
      "features of a privileged container",
      { unprivileged: false, features: { nesting: true } },
      "features",
      "unprivileged",
    ],
    ["a hook script", { hook_script: "local:snippets/hook.sh" }, "hook_script", "action"],
  ])(
    "%s is refused in the plan for a token of root: option, reason and alternative",
    async (_, more, option, instead) => {
      const { mounts: _mounts, features: _features, devices: _devices, ...plain } = config;
      const planned = bench.container.plan(null, { ...plain, mounts: { rootfs }, ...more } as never);
      const text = String(
        await planned.then(
          () => "planned",
          (reason: unknown) => reason,
        ),
      );
      expect(text).toContain("Reserved for root@pam");
      expect(text).toContain('username = "root@pam"');
      expect(text).toContain(instead);
      expect(option).not.toBe("");
      expect(bench.has(660)).toBe(false);
    },
  );
});

describe("a token and the password of root@pam", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.openWith();
    await bench.configure("root@pam!admin", { username: "root@pam", password: "proxmox" });
  });
  afterAll(() => bench.close());

  test("sets them, with the ticket for exactly those calls", async () => {
    const { log, world } = bench.simulator.sim;
    log.clear();
    const made = await bench.container.create(config);
    expect(bench.config(660)).toMatchObject({
      mp0: "/srv/share,mp=/share,ro=1",
      features: "nesting=1,fuse=1,keyctl=1",
      dev0: "/dev/fuse,mode=0666",
    });
    const { calls } = log.summary() as { calls: { endpoint: string; count: number }[] };
    const count = (wanted: string) => calls.find(({ endpoint }) => endpoint === wanted)?.count ?? 0;
    expect(count("POST /access/ticket")).toBe(1);
    // Refused for the token, sent again with the ticket, and the end of the create with the token.
    expect(count("PUT /nodes/{node}/lxc/{vmid}/config")).toBe(3);
    expect(world.tasks.filter(({ user }) => user === "root@pam")).toEqual([]);
    const { mp0, ...rest } = config.mounts;
    expect(mp0).toBeDefined();
    const changed = await bench.container.update(made, { ...config, mounts: rest });
    expect(bench.config(660)["mp0"]).toBeUndefined();
    expect(bench.config(660)["unused0"]).toBeUndefined();
    await bench.container.destroy(changed);
  });
});

describe("root@pam alone", () => {
  test("sets them", async () => {
    const bench = await Bench.openWith({ as: "root@pam" });
    const made = await bench.container.create(config);
    expect(bench.config(660)["mp0"]).toBe("/srv/share,mp=/share,ro=1");
    await bench.container.destroy(made);
    await bench.close();
  });
});
