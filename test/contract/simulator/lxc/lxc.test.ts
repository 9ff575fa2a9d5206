import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const cluster = lab({
  ...labSeed,
  acl: [
    ...labSeed.acl,
    { path: "/vms/300", type: "user", ugid: "owner@pve", roleid: "PVEVMAdmin" },
    { path: "/storage/local", type: "user", ugid: "owner@pve", roleid: "PVEDatastoreUser" },
  ],
  pools: [{ poolid: "cts" }],
});
const { ask, run } = cluster;

const containers = "/nodes/pve1/lxc";
const template = "local:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst";
const GiB = 2 ** 30;

/** Puts the template in place; downloads of hosts that are not this machine always succeed. */
const prepare = () =>
  run("POST /nodes/pve1/storage/local/download-url", {
    content: "vztmpl",
    filename: template.replace(/^.*\//, ""),
    url: "https://templates.example/debian.tar.zst",
  });

const order = {
  vmid: 300,
  ostemplate: template,
  rootfs: "thin:8",
  hostname: "ct",
  net0: "name=eth0,bridge=vmbr0,ip=dhcp",
};

async function create(more: Record<string, string | number> = {}, token?: string): Promise<string> {
  await prepare();
  const outcome = await run(`POST ${containers}`, { ...order, ...more }, token);
  if (outcome === "OK" && more["start"] === 1) {
    // The start is a task of its own, which may end after the one that creates.
    await expect.poll(() => ask(`GET ${containers}/300/status/current`)).toMatchObject({ status: "running" });
  }
  return outcome;
}

const config = async (vmid = 300) => (await ask(`GET ${containers}/${vmid}/config`)) as Record<string, unknown>;

describe("a new container", () => {
  test("has what was asked for and what goes without saying", async () => {
    expect(
      await create({ tags: "b;A", nameserver: "192.0.2.1,192.0.2.2", description: "x", mp0: "tank:1.5,mp=/data" }),
    ).toBe("OK");
    const { digest, net0, ...rest } = await config();
    expect(digest).toMatch(/^[0-9a-f]{40}$/);
    expect(net0).toMatch(/^name=eth0,bridge=vmbr0,hwaddr=BC:24:11:(?:[0-9A-F]{2}:){2}[0-9A-F]{2},ip=dhcp,type=veth$/);
    expect(rest).toEqual({
      arch: "amd64",
      ostype: "debian",
      hostname: "ct",
      memory: 512,
      swap: 512,
      unprivileged: 1,
      rootfs: "thin:vm-300-disk-0,size=8G",
      mp0: "tank:subvol-300-disk-0,mp=/data,size=1536M",
      tags: "a;b",
      nameserver: "192.0.2.1 192.0.2.2",
      description: "x\n",
    });
  });

  test("answers fractions as they are written, whole numbers as numbers, and no tags as a blank", async () => {
    await create({ cpulimit: "1.50", cores: 2, tags: "a" });
    expect(await config()).toMatchObject({ cpulimit: "1.50", cores: 2, tags: "a" });
    await ask(`PUT ${containers}/300/config`, { tags: "" });
    expect(await config()).toMatchObject({ tags: " " });
    await run(`POST ${containers}/300/snapshot`, { snapname: "s1" });
    expect(await ask(`GET ${containers}/300/snapshot/s1/config`)).toMatchObject({ snaptime: expect.any(Number) });
  });

  test("takes 4 GiB of the default storage when no storage is given", async () => {
    await prepare();
    expect(await run(`POST ${containers}`, { vmid: 300, ostemplate: template })).toBe("OK");
    expect(await config()).toMatchObject({ rootfs: "local:300/vm-300-disk-0.raw,size=4G", hostname: "CT300" });
  });

  test("starts, joins its pool and becomes an HA resource if asked to", async () => {
    expect(await create({ start: 1, pool: "cts", "ha-managed": 1 })).toBe("OK");
    expect(await ask(`GET ${containers}/300/status/current`)).toMatchObject({ status: "running", ha: { managed: 1 } });
    expect(await ask("GET /pools", { poolid: "cts" })).toMatchObject([{ members: [{ id: "lxc/300" }] }]);
    expect(await ask("GET /cluster/ha/resources")).toMatchObject([{ sid: "ct:300", type: "ct", state: "started" }]);
  });

  test.each<[string, Record<string, string | number>, string]>([
    ["of a number that is taken", { vmid: 200 }, "500 VM 200 already exists on node 'pve1'"],
    ["in a pool that is not there", { pool: "none" }, "403 Permission check failed (pool 'none' does not exist)"],
    [
      "with mount points but no root",
      { rootfs: "", mp0: "thin:1,mp=/a" },
      "400 Parameter verification failed. | rootfs: invalid format - format error\nrootfs.volume: property is missing and it is not optional",
    ],
    [
      "on a storage for VMs only",
      { rootfs: "thick:8" },
      "400 Parameter verification failed. | storage: storage 'thick' does not support container directories",
    ],
    [
      "from something that is no template",
      { ostemplate: "local:iso/a.iso" },
      "500 unable to use volume local:iso/a.iso - content type needs to be 'vztmpl'",
    ],
    [
      "without a name for its device",
      { net0: "bridge=vmbr0" },
      "400 Parameter verification failed. | net0: invalid format - format error\nnet0.name: property is missing and it is not optional",
    ],
    [
      "with a short password",
      { password: "1234" },
      "400 Parameter verification failed. | password: value must be at least 5 characters long",
    ],
    [
      "with a host directory, by a token",
      { mp0: "/srv,mp=/a" },
      "403 Permission check failed (mount point type bind is only allowed for root@pam)",
    ],
    [
      "with a device, by a token",
      { dev0: "/dev/ttyS0" },
      "403 Permission check failed (configuring device passthrough is only allowed for root@pam)",
    ],
    [
      "with a bare size, by a token",
      { rootfs: "2", storage: "thin" },
      "500 Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 651.",
    ],
    [
      "with features, by a token",
      { features: "nesting=1,fuse=1" },
      "403 Permission check failed (changing feature flags (except nesting) is only allowed for root@pam)",
    ],
  ])("%s is refused", async (_, more, expected) => {
    expect(await create(more)).toBe(expected);
    expect(await ask(`GET ${containers}`)).toEqual([]);
  });

  test("that cannot be unpacked leaves nothing behind", async () => {
    expect(await run(`POST ${containers}`, order)).toBe(
      `unable to create CT 300 - volume '${template}' does not exist`,
    );
    expect(await ask(`GET ${containers}/300/config`)).toBe(
      "500 Configuration file 'nodes/pve1/lxc/300.conf' does not exist",
    );
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 300 })).toEqual([]);
  });

  test("needs rights on the storage and the bridge, and privileged more than that", async () => {
    await prepare();
    const owner = "owner@pve!tk";
    expect(await run(`POST ${containers}`, { ...order, unprivileged: 0 }, owner)).toBe(
      "403 Permission check failed (/, Sys.Modify)",
    );
    expect(await run(`POST ${containers}`, order, owner)).toBe(
      "403 Permission check failed (/sdn/zones/localnetwork/vmbr0, SDN.Use)",
    );
    expect(await run(`POST ${containers}`, { ...order, net0: "name=eth0", rootfs: "tank:8" }, owner)).toBe(
      "403 Permission check failed (/storage/tank, Datastore.AllocateSpace)",
    );
    expect(await run(`POST ${containers}`, { vmid: 301, ostemplate: template }, owner)).toBe(
      "403 Permission check failed",
    );
    expect(await run(`POST ${containers}`, { vmid: 300, ostemplate: template, rootfs: "thin:8" }, owner)).toBe("OK");
  });
});

describe("a change", () => {
  const change = (form: Record<string, string | number>, token?: string) =>
    ask(`PUT ${containers}/300/config`, form, token);

  test("of a stopped container applies at once", async () => {
    await create();
    expect(await change({ memory: 1024, mp0: "thin:2,mp=/a", net1: "name=eth1,bridge=vmbr0,tag=7" })).toBeNull();
    expect(await config()).toMatchObject({ memory: 1024, mp0: "thin:vm-300-disk-1,mp=/a,size=2G" });
    expect(await change({ delete: "mp0,net1" })).toBeNull();
    expect(await config()).toMatchObject({ unused0: "thin:vm-300-disk-1" });
    expect(await change({ delete: "unused0" })).toBeNull();
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 300 })).toHaveLength(1);
  });

  test("of a running container waits where it has to", async () => {
    await create({ start: 1 });
    await change({ memory: 1024, cores: 2, ostype: "ubuntu", hostname: "new" });
    expect(await config()).toMatchObject({ memory: 1024, cores: 2, ostype: "ubuntu", hostname: "new" });
    expect(await ask(`GET ${containers}/300/config`, { current: 1 })).toMatchObject({
      ostype: "debian",
      hostname: "new",
    });
    expect(await ask(`GET ${containers}/300/pending`)).toContainEqual({
      key: "ostype",
      value: "debian",
      pending: "ubuntu",
    });
    await change({ revert: "ostype" });
    expect(await config()).toMatchObject({ ostype: "debian" });
    await change({ tty: 4 });
    await run(`POST ${containers}/300/status/reboot`);
    expect(await ask(`GET ${containers}/300/config`, { current: 1 })).toMatchObject({ tty: 4 });
  });

  test.each<[string, Record<string, string | number>, string]>([
    ["is something", {}, "500 no options specified"],
    ["keeps what is required", { delete: "memory" }, "500 unable to delete required option 'memory'"],
    ["keeps the privileges", { unprivileged: 0 }, "500 unable to modify read-only option: 'unprivileged'"],
    ["knows its options", { delete: "colour" }, "400 Parameter verification failed. | delete: unknown option 'colour'"],
    [
      "is of one mind",
      { memory: 64, delete: "memory" },
      "400 Parameter verification failed. | delete: you can't use '-memory' and -delete memory' at the same time",
    ],
    [
      "is of the present",
      { memory: 64, digest: "0".repeat(40) },
      "500 detected modified configuration - file changed by other user? Try again.",
    ],
    [
      "names a bridge that exists, but is kept all the same",
      { net1: "name=eth1,bridge=none" },
      "500 bridge 'none' does not exist",
    ],
  ])("%s", async (_, form, expected) => {
    await create();
    expect(await change(form)).toBe(expected);
  });

  test("may name a volume that does not exist", async () => {
    await create();
    expect(await change({ mp0: "thin:vm-300-disk-9,mp=/a" })).toBeNull();
  });

  test("is refused while the container is protected or locked", async () => {
    await create({ protection: 1, mp0: "thin:1,mp=/a" });
    expect(await change({ delete: "mp0" })).toBe("500 can't remove CT 300 drive 'mp0' - protection mode enabled");
    expect(await ask(`DELETE ${containers}/300`)).toBe("500 can't remove CT 300 - protection mode enabled");
    Object.assign(cluster.simulator.sim.world.guests[300]?.config ?? {}, { lock: "backup" });
    expect(await change({ memory: 64 })).toBe("500 CT is locked (backup)");
  });
});

describe("power", () => {
  const status = `${containers}/300/status`;

  test("goes on and off", async () => {
    await create();
    expect(await ask(`POST ${status}/stop`)).toBe("500 CT 300 not running");
    expect(await run(`POST ${status}/start`)).toBe("OK");
    expect(await ask(`POST ${status}/start`)).toBe("500 CT 300 already running");
    expect(await ask(`GET ${containers}/300/interfaces`)).toMatchObject([
      { name: "lo" },
      { name: "eth0", inet: expect.stringMatching(/^198\.51\.100\.\d+\/24$/) },
    ]);
    expect(await run(`POST ${status}/shutdown`, { timeout: 5 })).toBe("OK");
    expect(await ask(`GET ${status}/current`)).toMatchObject({ status: "stopped", maxdisk: 8 * GiB });
  });

  test("of a container that does not obey ends by force, if at all", async () => {
    await create({ start: 1 });
    Object.assign(cluster.simulator.sim.world.guests[300]?.behaviour ?? {}, { acpi: false });
    expect(await run(`POST ${status}/shutdown`, { timeout: 1 })).toBe("container did not stop");
    expect(await run(`POST ${status}/shutdown`, { timeout: 1, forceStop: 1 })).toBe("OK");
  });

  test("of a container that is not there fails in its task", async () => {
    expect(await run(`POST ${containers}/999/status/start`)).toBe(
      "Configuration file 'nodes/pve1/lxc/999.conf' does not exist",
    );
  });
});

describe("volumes", () => {
  const resize = (disk: string, size: string) => run(`PUT ${containers}/300/resize`, { disk, size });

  test("grow and never shrink", async () => {
    await create();
    expect(await resize("rootfs", "+2G")).toBe("OK");
    expect(await config()).toMatchObject({ rootfs: "thin:vm-300-disk-0,size=10G" });
    expect(await resize("rootfs", "1G")).toBe("500 unable to shrink disk size");
    expect(await resize("rootfs", "10G")).toBe("500 disk is already at specified size");
    expect(await resize("rootfs", "10GB")).toBe(
      "400 Parameter verification failed. | size: value does not match the regex pattern",
    );
  });

  test("become base images with the container", async () => {
    await create();
    expect(await ask(`POST ${containers}/300/template`)).toBeNull();
    for (;;) {
      const { template: isTemplate, rootfs } = await config();
      if (isTemplate === 1) {
        expect(rootfs).toBe("thin:base-300-disk-0,size=8G");
        break;
      }
    }
    expect(await ask(`POST ${containers}/300/template`)).toBe("500 you can't convert a template to a template");
    expect(await run(`POST ${containers}/300/clone`, { newid: 301, hostname: "linked" })).toBe("OK");
    expect(await config(301)).toMatchObject({ hostname: "linked", rootfs: "thin:vm-301-disk-0,size=8G" });
    expect(await ask(`POST ${containers}/300/clone`, { newid: 302, storage: "tank" })).toBe(
      "500 parameter 'storage' not allowed for linked clones",
    );
    expect(await run(`POST ${containers}/300/status/start`)).toBe("you can't start a CT if it's a template");
  });
});

describe("a clone", () => {
  const clone = (form: Record<string, string | number>, token?: string) =>
    run(`POST ${containers}/300/clone`, form, token);

  test("is a copy with an address of its own", async () => {
    await create({ memory: 777, tags: "x" });
    const { net0 } = await config();
    expect(await clone({ newid: 301, full: 1, storage: "tank", pool: "cts" })).toBe("OK");
    const copy = await config(301);
    expect(copy).toMatchObject({ memory: 777, tags: "x", rootfs: "tank:subvol-301-disk-0,size=8G" });
    expect(copy).not.toHaveProperty("lock");
    expect(copy["net0"]).not.toBe(net0);
    expect(await config()).not.toHaveProperty("lock");
    expect(await ask("GET /pools", { poolid: "cts" })).toMatchObject([{ members: [{ id: "lxc/301" }] }]);
  });

  test.each<[string, Record<string, string | number>, string]>([
    ["takes a number that is free", { newid: 200 }, "500 VM 200 already exists on node 'pve1'"],
    ["goes to a node that exists", { newid: 301, target: "pve9" }, "500 no such cluster node 'pve9'"],
    [
      "stays where its storage is",
      { newid: 301, target: "pve2" },
      "500 can't clone CT to node 'pve2' (CT uses local storage)",
    ],
    ["of a snapshot needs the snapshot", { newid: 301, snapname: "none" }, "500 snapshot 'none' does not exist"],
    [
      "is linked only to a template",
      { newid: 301, full: 0 },
      "500 Linked clone feature for 'thin:vm-300-disk-0' is not available",
    ],
  ])("%s", async (_, form, expected) => {
    await create();
    expect(await clone(form)).toBe(expected);
    expect(await config()).not.toHaveProperty("lock");
    expect(await ask(`GET ${containers}/301/config`)).toContain("does not exist");
  });

  test("of a running container needs a snapshot", async () => {
    await create({ start: 1 });
    expect(await clone({ newid: 301 })).toBe("500 Full clone of a running container is only possible from a snapshot");
  });
});

describe("removal", () => {
  test("takes everything of the container along", async () => {
    await create({ mp0: "tank:1,mp=/a", pool: "cts" });
    await ask("POST /nodes/pve1/storage/thin/content", { vmid: 300, filename: "vm-300-disk-7", size: "1G" });
    await ask(`POST ${containers}/300/firewall/rules`, { type: "in", action: "ACCEPT" });
    await ask("POST /cluster/ha/resources", { sid: "ct:300", state: "stopped" });
    expect(await ask(`DELETE ${containers}/300`)).toBe(
      "500 unable to remove CT 300 - used in HA resources and purge parameter not set.",
    );
    expect(await run(`DELETE ${containers}/300`, { purge: 1, "destroy-unreferenced-disks": 1 })).toBe("OK");
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 300 })).toEqual([]);
    expect(await ask("GET /nodes/pve1/storage/tank/content", { vmid: 300 })).toEqual([]);
    expect(await ask("GET /cluster/ha/resources")).toEqual([]);
    expect(await ask("GET /pools", { poolid: "cts" })).toMatchObject([{ members: [] }]);
    expect(await ask(`GET ${containers}/300/firewall/rules`)).toEqual([]);
  });

  test("of a running container is forced or refused", async () => {
    await create({ start: 1 });
    expect(await ask(`DELETE ${containers}/300`)).toBe("500 unable to destroy CT 300 - container is running");
    expect(await run(`DELETE ${containers}/300`, { force: 1 })).toBe("OK");
  });
});

describe("the list", () => {
  test("shows containers to those who may see them", async () => {
    await create();
    expect(await ask(`GET ${containers}`)).toMatchObject([
      { vmid: 300, type: "lxc", name: "ct", status: "stopped", maxmem: 512 * 2 ** 20 },
    ]);
    expect(await ask(`GET ${containers}`, undefined, "nobody@pve!tk")).toEqual([]);
    cluster.simulator.sim.statistics.refresh();
    expect(await ask("GET /cluster/resources", { type: "vm" })).toContainEqual(
      expect.objectContaining({ id: "lxc/300", name: "ct", status: "stopped", maxcpu: 16, template: 0 }),
    );
  });
});
