import { globSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readFacts } from "../../../schema/pve/facts.ts";
import type { PveError } from "../../../src/pve/errors.ts";
import { startCluster, template, tokens } from "./simulated-cluster.ts";

const vm = { node: "pve1", vmid: 401 };

describe("every area of the API", () => {
  it("reads nodes and the cluster", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { client } = cluster;
    expect(await client.cluster.getVersion()).toMatchObject({ release: expect.stringMatching(/^9\./) });
    expect((await client.cluster.listMembers()).filter(({ type }) => type === "node")).toHaveLength(3);
    expect(await client.cluster.nextId()).toBe(100);
    expect(await client.cluster.getOptions()).toMatchObject({ mac_prefix: "BC:24:11" });
    expect(await client.nodes.list()).toHaveLength(3);
    expect(await client.nodes.getStatus("pve1")).toMatchObject({ cpuinfo: { cpus: 16 } });
    expect(await client.storage.list()).toHaveLength(5);
    expect((await client.storage.listOnNode("pve1", { content: "images" })).map(({ storage }) => storage)).toContain(
      "local-lvm",
    );
    expect((await client.network.list("pve1", "any_bridge")).map(({ iface }) => iface)).toContain("vmbr0");
    expect(await client.access.getPermissions()).toHaveProperty(["/", "VM.Allocate"]);
    expect((await client.tasks.list("pve1", { source: "all" })).tasks).toEqual([]);
  });

  it("manages pools, with their members", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { pools } = cluster.client;
    await pools.create("prod", { comment: "x" });
    await expect(pools.create("prod")).rejects.toMatchObject({ kind: "exists" });
    await pools.update("prod", { vms: [9000] });
    expect(await pools.get("prod")).toMatchObject({ comment: "x", members: [{ vmid: 9000 }] });
    await expect(pools.remove("prod")).rejects.toMatchObject({ kind: "conflict" });
    await pools.update("prod", { vms: [9000], delete: true });
    await pools.remove("prod");
    expect(await pools.find("prod")).toBeNull();
    expect(await pools.list()).toEqual([]);
  });

  it("keeps HA resources", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { ha, operations } = cluster.client;
    await operations.clone({ source: template, request: { newid: 401 } });
    await ha.create({ sid: "vm:401", state: "stopped" });
    await ha.update("vm:401", { comment: "important" });
    expect(await ha.get("vm:401")).toMatchObject({ sid: "vm:401", state: "stopped", comment: "important" });
    expect(await ha.list()).toHaveLength(1);
    await ha.remove("vm:401");
    expect(await ha.find("vm:401")).toBeNull();
  });

  it("manages hardware mappings", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { dir } = cluster.client.mappings;
    await dir.create("share", { map: ["node=pve1,path=/srv", "node=pve2,path=/srv"] });
    expect(await dir.list()).toMatchObject([{ id: "share" }]);
    expect(await dir.get("share")).toMatchObject({
      map: [expect.stringContaining("pve1"), expect.stringContaining("pve2")],
    });
    await dir.update("share", { map: ["node=pve1,path=/srv"], description: "files" });
    await dir.remove("share");
    expect(await dir.find("share")).toBeNull();
  });

  it("manages storages and their contents", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { storage, watch } = cluster.client;
    await storage.create({ storage: "extra", type: "dir", path: "/srv/extra", content: ["iso", "images"] });
    await storage.update("extra", { content: ["iso"] });
    expect(await storage.get("extra")).toMatchObject({ type: "dir", content: ["iso"] });
    const upload = { fileName: "tiny.iso", size: 4, open: () => Readable.from([Buffer.from("data")]) };
    await watch.wait(await storage.upload("pve1", "extra", { content: "iso" }, upload));
    expect(await storage.listVolumes("pve1", "extra")).toMatchObject([{ volid: "extra:iso/tiny.iso" }]);
    const removal = await storage.removeVolume("pve1", "extra", "iso/tiny.iso");
    if (removal !== null) {
      await watch.wait(removal);
    }
    expect(await storage.listVolumes("pve1", "extra")).toEqual([]);
    await storage.remove("extra");
    expect(await storage.find("extra")).toBeNull();
    await expect(storage.get("extra")).rejects.toMatchObject({ kind: "not_found" });
  });

  it("has every VM operation that a resource needs", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { client } = cluster;
    const run = (what: string, submit: () => Promise<string | null>) => client.operations.run(vm, { what, submit });
    await run("create", () =>
      client.qemu.create("pve1", {
        vmid: 401,
        name: "made",
        memory: 512,
        scsi0: "local-lvm:2",
        net0: "virtio,bridge=vmbr0",
        agent: true,
      }),
    );
    await run("start", () => client.power.start(vm));
    await run("change", () => client.qemu.updateConfig(vm, { memory: 1024 }));
    expect(await client.qemu.listPending(vm)).toContainEqual({ key: "memory", value: "512", pending: "1024" });
    expect((await client.qemu.getConfig(vm)).options["memory"]).toBe("1024");
    expect((await client.qemu.getConfig(vm, { current: true })).options["memory"]).toBe("512");
    while ((await client.agent.ping(vm).catch((reason: PveError) => reason.kind)) === "conflict") {
      await new Promise((resolve) => setTimeout(resolve, 10)); // the guest boots
    }
    expect(await client.agent.listInterfaces(vm)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
    );
    await run("suspend", () => client.power.suspend(vm));
    await run("resume", () => client.power.resume(vm));
    await run("reset", () => client.power.reset(vm));
    await run("shutdown", () => client.power.shutdown(vm, { timeout: 60 }));
    expect(await client.qemu.listPending(vm)).toContainEqual({ key: "memory", value: "1024" });

    await run("add a disk", () => client.qemu.startConfigUpdate(vm, { scsi1: "local-lvm:1" }));
    await run("move it", () => client.disks.moveDisk(vm, { disk: "scsi1", storage: "local-zfs", delete: true }));
    expect((await client.qemu.getConfig(vm)).options["scsi1"]).toMatch(/^local-zfs:vm-401-disk-\d,size=1G$/);
    await run("detach it", () => client.disks.unlink(vm, { idlist: ["scsi1"] }));
    expect((await client.qemu.getConfig(vm)).options).toHaveProperty("unused0");
    await run("destroy it", () => client.qemu.updateConfig(vm, { delete: ["unused0"] }));

    await run("cloud-init", () => client.qemu.updateConfig(vm, { ide2: "local-lvm:cloudinit", ciuser: "ops" }));
    expect(await client.qemu.listCloudInit(vm)).toContainEqual(expect.objectContaining({ key: "ciuser" }));
    await run("regenerate", () => client.qemu.regenerateCloudInit(vm));

    await run("snapshot", () => client.snapshots.create(vm, { snapname: "before", description: "b" }));
    expect(await client.snapshots.list(vm)).toMatchObject([{ name: "before", description: "b" }]);
    await run("roll back", () => client.snapshots.rollback(vm, "before"));
    await run("remove the snapshot", () => client.snapshots.remove(vm, "before"));
    await run("template", () => client.qemu.makeTemplate(vm));
    expect(await client.qemu.getConfig(vm)).toMatchObject({ isTemplate: true });
    await run("remove", () => client.qemu.remove(vm, { purge: true, "destroy-unreferenced-disks": true }));
    expect(await client.qemu.list("pve1")).not.toContainEqual(expect.objectContaining({ vmid: 401 }));
  });

  it("has every container operation that a resource needs", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { client } = cluster;
    const { lxc, containerPower: power, containerSnapshots: snapshots } = client;
    const run = (what: string, submit: () => Promise<string | null>) => client.operations.run(vm, { what, submit });
    const [appliance] = await client.templates.list("pve1");
    const { template: file = "" } = appliance ?? {};
    await client.watch.wait(await client.templates.download("pve1", { storage: "local", template: file }));
    const mounts = { rootfs: "local-lvm:2", mp0: "local-lvm:1,mp=/data" };
    const net0 = "name=eth0,bridge=vmbr0,ip=dhcp";
    await run("create", () =>
      lxc.create("pve1", { vmid: 401, ostemplate: `local:vztmpl/${file}`, hostname: "made", net0, ...mounts }),
    );
    expect(await lxc.getConfig(vm)).toMatchObject({ name: "made", options: { unprivileged: "1", memory: "512" } });
    await run("start", () => power.start(vm));
    await expect(power.start(vm)).rejects.toMatchObject({ kind: "conflict" });
    await run("change", () => lxc.updateConfig(vm, { nameserver: "192.0.2.1", memory: 1024 }));
    expect(await lxc.listPending(vm)).toContainEqual({ key: "nameserver", pending: "192.0.2.1" });
    expect((await lxc.getConfig(vm, { current: true })).options["memory"]).toBe("1024");
    expect(await lxc.listInterfaces(vm)).toContainEqual(expect.objectContaining({ name: "eth0" }));
    await run("grow", () => lxc.resize(vm, { disk: "mp0", size: "2G" }));
    await expect(lxc.resize(vm, { disk: "mp0", size: "2G" })).rejects.toMatchObject({ kind: "conflict" });
    await expect(lxc.moveVolume(vm, { volume: "mp0", storage: "local-zfs" })).rejects.toMatchObject({
      kind: "conflict",
    });
    await run("reboot", () => power.reboot(vm, { timeout: 60 }));
    await run("shutdown", () => power.shutdown(vm, { timeout: 60, forceStop: true }));
    await expect(power.stop(vm)).rejects.toMatchObject({ kind: "conflict" });
    expect(await lxc.listInterfaces(vm)).toBeNull();
    await run("move", () => lxc.moveVolume(vm, { volume: "mp0", storage: "local-zfs", delete: true }));
    expect((await lxc.getConfig(vm)).options["mp0"]).toMatch(/^local-zfs:subvol-401-disk-\d,mp=\/data,size=2G$/);

    await run("snapshot", () => snapshots.create(vm, { snapname: "before" }));
    expect(await snapshots.list(vm)).toMatchObject([{ name: "before" }]);
    await run("roll back", () => snapshots.rollback(vm, "before"));
    expect(await lxc.findConfig({ node: "pve1", vmid: 999 })).toBeNull();

    await run("clone", () => lxc.clone(vm, { newid: 402, hostname: "copy", full: true, snapname: "before" }));
    const copy = { node: "pve1", vmid: 402 };
    expect(await lxc.getConfig(copy)).toMatchObject({ name: "copy" });
    await run("template", () => lxc.makeTemplate(copy));
    await run("migrate", () => lxc.migrate(vm, { target: "pve2", restart: true })).catch(() => {});
    await run("remove", () => lxc.remove(vm, { purge: true }));
    expect((await lxc.list("pve1")).map(({ vmid }) => vmid)).not.toContain(401);
  });

  it("moves a VM to another node", async () => {
    await using cluster = await startCluster({ apiToken: tokens.root });
    const { client } = cluster;
    const source = await client.inventory.getTemplate("debian-13-cloud");
    const { vm: moving } = await client.operations.clone({ source, request: { newid: 402 } });
    expect(await client.migration.check(moving, "pve2")).toMatchObject({ running: false });
    await client.operations.run(moving, {
      what: "migrate",
      submit: () => client.migration.migrate(moving, { target: "pve2" }),
    });
    expect(await client.qemu.findConfig(moving)).toBeNull();
    expect(await client.qemu.findConfig({ node: "pve2", vmid: 402 })).not.toBeNull();
  });
});

describe("the table of API facts", () => {
  it("has every call of the client", () => {
    const known = readFacts();
    const calls = globSync("src/pve/**/*.ts").flatMap((file) => {
      const source = readFileSync(file, "utf8").replace(/\$\{kind\}/g, "pci");
      const made = source.matchAll(/api\s*\.(get|page|post|put|delete)\(\s*"(\/[^"]+)"/g);
      return [...made].map(([, verb = "", path]) => `${verb === "page" ? "GET" : verb.toUpperCase()} ${path}`);
    });
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.filter((call) => !known.has(call))).toEqual([]);
  });
});
