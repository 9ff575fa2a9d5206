import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { askAsOther } from "../vm/suite.ts";
import { Bench, fromImage, rootfs, seed, template } from "./suite.ts";

let bench: Bench;

/** A template of files, which a container cannot be linked to. */
const filed = {
  vmid: 9101,
  type: "lxc",
  node: "pve1",
  config: { hostname: "filed", template: 1, unprivileged: 1, rootfs: "nas:9101/base-9101-disk-0.raw,size=1G" },
};

beforeAll(async () => {
  bench = await Bench.openWith({ seed: { ...seed, guests: [...seed.guests, filed] } });
});
afterAll(() => bench.close());

const config = { ...fromImage, vmid: 650, name: "refused", mounts: { rootfs } };
const mp0 = (more: object) => ({
  mounts: { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/data", ...more } },
});

const macs = ["BC:24:11:01:02:03", "bc:24:11:01:02:03"];

/** Bad input, with the attribute, the value and the cure in the message. */
const rows: [what: string, more: object, ...messages: string[]][] = [
  // An unknown member of `features` is dropped by Terraform itself, without a message.
  ["a file system that is none", { features: { mount: ["n fs"] } }, "features.mount", "n fs", "such as `nfs`"],
  ["a mount path that is not absolute", mp0({ path: "data" }), "mounts", "absolute path"],
  ["a mount path with dots", mp0({ path: "/data/../etc" }), "`..`"],
  ["a mount path with a comma", mp0({ path: "/data,x" }), "Must not contain commas"],
  ["a mount path of two lines", mp0({ path: "/data\nx" }), "line breaks"],
  ["a mount path with a blank at its end", mp0({ path: "/data " }), "end in a blank"],
  ["a device with a blank", { devices: { dev0: { path: "/dev/x y" } } }, "Must not contain blanks"],
  [
    "two mounts on one path",
    {
      mounts: {
        rootfs,
        mp0: { storage: "local-lvm", size: "1G", path: "/a" },
        mp1: { storage: "local-lvm", size: "1G", path: "/a/" },
      },
    },
    "Path used twice",
    "mp0",
    "/a",
  ],
  ["a mount without a path", mp0({ path: null }), "Path needed", "mp0"],
  [
    "a volume of another guest",
    { mounts: { rootfs, mp0: { volume: "local-zfs:basevol-9100-disk-0", path: "/x" } } },
    "Volume of another guest",
    "9100",
  ],
  ["a bad entry of an id map", mp0({ id_map: ["x:1:2"] }), "u:1000:1000:1"],
  ["overlapping id maps", mp0({ id_map: ["u:0:1000:10", "u:5:2000:1"] }), "Contradictory map", "u:5:2000:1"],
  ["an id map beside passthrough", mp0({ id_map: ["passthrough", "u:5:2000:1"] }), "Contradictory map"],
  ["an image without a name", { image: { volume: "" } }, "image.volume", "a volume ID such as `local:vztmpl/"],
  ["a path as an image", { image: { volume: "/tmp/x.tar" } }, "image.volume", "/tmp/x.tar", "a volume ID such as"],
  ["an image of other content", { image: { volume: "nas:iso/x.iso" } }, "image.volume", "nas:iso/x.iso", "vztmpl/"],
  ["an image on a missing storage", { image: { volume: "nowhere:vztmpl/x.tar.zst" } }, "No such storage", "nowhere"],
  [
    "an image that does not exist",
    { image: { volume: "nas:vztmpl/none.tar.zst" } },
    "No such file",
    "debian-13-standard",
  ],
  [
    "a volume storage without content for containers",
    { mounts: { rootfs: { storage: "local", size: "4G" } } },
    "Storage does not take it",
    "rootdir",
  ],
  ["a card without a bridge", { networks: { net0: { vlan: 5 } } }, "Bridge needed", "net0", "vmbr0"],
  [
    "a gateway without a static address",
    { networks: { net0: { bridge: "vmbr0", ipv4: { address: "dhcp", gateway: "10.9.0.1" } } } },
    "Gateway without address",
  ],
  [
    "two cards of one name",
    { networks: { net0: { bridge: "vmbr0", name: "lan" }, net1: { bridge: "vmbr0", name: "lan" } } },
    "Name used twice",
  ],
  ["a template that runs", { template: true, power: "running" }, "Conflicting power", "template cannot run"],
  [
    "two cards of one MAC address",
    { networks: { net0: { bridge: "vmbr0", mac: macs[0] }, net1: { bridge: "vmbr0", mac: macs[1] } } },
    "MAC address used twice",
    "`net0`",
  ],
  ["quotas in a container that is unprivileged", mp0({ quota: true }), "Not in an unprivileged container", "quota"],
  [
    "quotas in a container that is said to be unprivileged",
    { ...mp0({ quota: true }), unprivileged: true },
    "Not in an unprivileged container",
  ],
  [
    "a VM to clone",
    { image: null, mounts: null, node: null, clone: { template: "9000" } },
    "Template not found",
    "9000 is a VM on",
    "not a container",
  ],
  ["no source", { image: null }, "Source needed"],
  ["two sources", { clone: { template: "golden" } }, "Two sources"],
  [
    "no root file system",
    { mounts: { mp0: { storage: "local-lvm", size: "1G", path: "/data" } } },
    "Root file system needed",
  ],
  ["a root file system without a size", { mounts: { rootfs: { storage: "local-lvm" } } }, "Size needed"],
  [
    "a slot that does not exist",
    { mounts: { rootfs, mp256: { storage: "local-lvm", size: "1G", path: "/x" } } },
    "No such slot",
    "mp255",
  ],
  ["a device that is none", { devices: { dev0: { path: "/etc/passwd" } } }, "Must be below `/dev`"],
  ["a short password", { password: "abc" }, "at least 5"],
  ["a bad key", { ssh_keys: ["nonsense"] }, "ssh_keys"],
  ["a blank in the name of a variable", { env: { "A B": "1" } }, "env", "A B", "letters, digits and `_`"],
  ["a variable with an empty name", { env: { "": "1" } }, "env", "letters, digits and `_`"],
  ["a variable of two lines", { env: { A: "1\n2" } }, "env", "Must be one line"],
  ["a bad time zone", { timezone: "Nowhere Land" }, "Europe/Vienna"],
  ["a time zone of no place", { timezone: "Mars/Olympus" }, "Mars/Olympus", "Europe/Vienna"],
  ["a time zone that containers cannot have", { timezone: "Etc/UTC" }, "Etc/UTC", "`UTC`"],
  [
    "a clone that cannot be linked",
    { image: null, mounts: null, node: null, clone: { template: "filed" } },
    "Linked clone not possible",
    "clone.full = true",
  ],
  ["a taken VMID", { vmid: 9100 }, "VMID 9100 is taken"],
  ["a missing node", { node: "pve9" }, "No such node"],
  ["a missing pool", { pool: "nopool" }, "nopool"],
];

test.each([
  ["10.0.0.5/24", "10.9.0.1"],
  ["10.0.0.5/32", "10.9.0.1"],
])("a container takes a gateway outside of its network, as at hosters: %s", async (address, gateway) => {
  const off = { ...config, networks: { net0: { bridge: "vmbr0", ipv4: { address, gateway } } } } as Input;
  const made = await bench.container.create(off);
  await bench.container.expectSettled(made, off);
  const imported = await bench.container.import({ id: String(attribute(made, "vmid")) });
  expect(attribute(imported, "networks")).toMatchObject({ net0: { ipv4: { address, gateway } } });
  await bench.container.destroy(made);
});

test("a bridge that is not listed is a warning: a script may have made it", async () => {
  const { warnings } = await bench.container.plan(null, {
    ...config,
    networks: { net0: { bridge: "vmbr77" } },
  } as Input);
  expect(JSON.stringify(warnings)).toMatch(/Bridge is not listed.*`vmbr77` of `net0`/s);
});

describe("the plan of a container", () => {
  test.each(rows)("refuses %s", async (_, more, ...messages) => {
    const planned = bench.container.plan(null, { ...config, ...more } as Input);
    const text = String(
      await planned.then(
        () => "planned",
        (reason: unknown) => reason,
      ),
    );
    for (const message of messages) expect(text).toContain(message);
    expect(bench.has(650)).toBe(false);
  });

  test("and its import say that a VMID is a VM, and those of a VM that it is a container", async () => {
    await bench.restart();
    await expect(bench.container.import({ id: "9000" })).rejects.toThrow(/9000 is a VM on .*, not a container/);
    await expect(bench.vm.import({ id: "9100" })).rejects.toThrow(/9100 is a container on pve1, not a VM/);
    const clone = { name: "x", clone: { template: "9100" } };
    await expect(bench.vm.plan(null, clone)).rejects.toThrow(/9100 is a container on pve1, not a VM/);
  });

  test("keeps the keys that a container was made with, and says so", async () => {
    await bench.restart();
    const [old, other] = ["one", "two"].map((name) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"A".repeat(43)} ${name}`);
    const made = await bench.container.create({ ...config, ssh_keys: [old ?? ""], power: "stopped" });
    const { action, warnings } = await bench.container.plan(made, {
      ...config,
      ssh_keys: [other ?? ""],
      power: "stopped",
    });
    expect(action).toBe("update");
    expect(warnings.map(({ summary }) => summary)).toEqual(["Used at creation only"]);
    await bench.container.destroy(made);
  });

  test("refuses to shrink a volume, and to change what is fixed", async () => {
    await bench.restart();
    const made = await bench.container.create({ ...config, ...mp0({}), power: "stopped" });
    const small = { ...config, ...mp0({ size: "512M" }), power: "stopped" };
    await expect(bench.container.plan(made, small)).rejects.toThrow(/Disks cannot shrink.*1G.*512M/s);
    const why = async (more: object) => {
      const { action, warnings } = await bench.container.plan(made, {
        ...config,
        ...mp0({}),
        power: "stopped",
        ...more,
      });
      await bench.restart();
      return { action, warnings: warnings.map(({ summary }) => summary).sort() };
    };
    const replaced = (path: string, ...more: string[]) => ({
      action: "replace",
      warnings: ["The replacement has the name of its predecessor", ...more, `${path} forces replacement`],
    });
    const removed = "What refers to VMID 650 is removed with the container";
    expect(await why({ vmid: 651 })).toEqual(replaced("vmid"));
    expect(await why({ unprivileged: false })).toEqual(replaced("unprivileged", removed));
    const { volumes } = bench.simulator.sim.world;
    const file = volumes.find(({ volid }) => volid === template);
    if (file) volumes.push({ ...file, volid: "nas:vztmpl/other.tar.zst" });
    const another = { image: { volume: "nas:vztmpl/other.tar.zst" }, replace_on_source_change: true };
    expect(await why(another)).toEqual(replaced("image.volume", removed));
    const image = { ...config, ...mp0({}), power: "stopped", image: { volume: "nas:vztmpl/other.tar.zst" } };
    const plan = await bench.container.plan(made, image);
    expect(plan.action).toBe("no-op");
    expect(plan.warnings.map(({ summary }) => summary)).toEqual(["Source is not read again"]);
    await bench.container.destroy(made);
  });

  test("refuses a mount that the replication job of the container cannot copy", async () => {
    await bench.restart();
    const zfs = { rootfs: { storage: "local-zfs", size: "4G" } };
    const stopped = { ...config, mounts: zfs, power: "stopped" };
    const made = await bench.container.create(stopped);
    await askAsOther(bench, "POST", "/cluster/replication", { id: "650-0", type: "local", target: "pve2" });
    await bench.restart();
    const data = { storage: "local-lvm", size: "1G", path: "/data" };
    const next = (more: object) => ({ ...stopped, mounts: { ...zfs, mp0: { ...data, ...more } } });
    await expect(bench.container.plan(made, next({}))).rejects.toThrow(
      /Mount cannot be replicated.*650-0.*`local-lvm`.*replicate = false/s,
    );
    await bench.restart();
    expect((await bench.container.plan(made, next({ storage: "nas" }))).action).toBe("update");
    await bench.restart();
    const plan = await bench.container.plan(made, next({ replicate: false }));
    await bench.container.destroy(await bench.container.apply(plan));
  });

  test("refuses a name that is taken, with the import block", async () => {
    await bench.restart();
    const made = await bench.container.create({ ...config, power: "stopped" });
    await bench.restart();
    await expect(bench.container.plan(null, { ...config, vmid: 652 })).rejects.toThrow(
      /Name taken.*proxmox_container\.NAME.*650/s,
    );
    await bench.restart();
    const adopted = await bench.container.create({
      ...config,
      vmid: null,
      on_existing: "adopt",
      power: "stopped",
    } as Input);
    expect(bench.vmids()).not.toContain(652);
    await bench.container.destroy(adopted);
    expect(made).toBeDefined();
  });
});
