import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Instance } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";
import { moveRows, stateOf } from "./rows.ts";

const bpg = "registry.terraform.io/bpg/proxmox";
const telmate = "registry.terraform.io/telmate/proxmox";

let bench: ResourceBench;

beforeAll(async () => {
  const iso_files = [{ volid: "local:iso/d.iso", size: "4K", node: "pve1" }];
  const seed = defaultSeed() as { guests: object[] };
  const replicated = { vmid: 104, node: "pve1", config: { name: "db", scsi0: "local-zfs:vm-104-disk-0,size=1M" } };
  bench = await ResourceBench.open({ seed: { ...seed, guests: [...seed.guests, replicated], iso_files } });
  const host = bench.simulator.sim.world.nodes["pve1"];
  if (host === undefined) throw new Error("the seed has no pve1");
  host.nics = ["eth0", "eth1", "eth2"];
  for (const nic of host.nics) {
    host.interfaces[nic] ??= { type: "eth", exists: 1, method: "manual", method6: "manual", families: ["inet"] };
  }
});
afterAll(() => bench.close());

const without = (instance: Instance, names: readonly string[] = []) => {
  const state = attribute(instance) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(state).filter(([name]) => !names.includes(name)));
};

describe.each(moveRows)("$from becomes $to, $config", (row) => {
  const { from, to, config, refreshed, own } = row;

  test("with the values of the state; the first plan is empty, and no secret comes along", async () => {
    const old = stateOf(row);
    const resource = bench.resource(to);
    const created = await resource.create(config);
    const moved = await resource.move(bpg, from, old);
    expect(JSON.stringify(moved.state)).not.toContain("-secret");
    const read = await resource.refresh(moved);
    expect(without(moved, refreshed), "before the refresh").toEqual(without(read, refreshed));
    expect(without(read, own), "as created here").toEqual(without(created, own));
    expect((await resource.plan(read, config)).action).toBe("no-op");
  });
});

describe("files, which were there before", () => {
  const place = { storage: "local", node: "pve1", content: "iso" };

  test("a download keeps its file", async () => {
    const downloads = bench.resource("proxmox_download");
    const moved = await downloads.move(bpg, "proxmox_download_file", stateOf({ from: "proxmox_download_file" }));
    const config = { ...place, url: "https://images.example.com/d.iso" };
    expect((await downloads.plan(await downloads.refresh(moved), config)).action).toBe("no-op");
    const sum = { checksum: "ab".repeat(32), checksum_algorithm: "sha256" };
    const old = { ...stateOf({ from: "proxmox_download_file" }), ...sum, decompression_algorithm: "gz", verify: false };
    expect(attribute(await downloads.move(bpg, "proxmox_download_file", old))).toMatchObject({
      checksum: `sha256:${"ab".repeat(32)}`,
      compression: "gz",
      verify_certificates: false,
    });
  });

  test("a file of the Internet becomes a download", async () => {
    const downloads = bench.resource("proxmox_download");
    const url = "https://images.example.com/d.iso";
    const config = { ...place, url };
    const { source_file: _, ...old } = stateOf({ from: "proxmox_virtual_environment_file" });
    const uploaded = { ...old, source_file: [{ path: url, insecure: true, checksum: "ab".repeat(32) }] };
    const moved = await downloads.move(bpg, "proxmox_virtual_environment_file", uploaded);
    const all = { ...config, verify_certificates: false, checksum: `sha256:${"ab".repeat(32)}` };
    expect((await downloads.plan(await downloads.refresh(moved), all)).action).toBe("no-op");
    const iso = { id: "local:iso/d.iso", storage: "local", pve_node: "pve1", filename: "d.iso", url };
    const other = await downloads.move(telmate, "proxmox_storage_iso", iso);
    expect((await downloads.plan(await downloads.refresh(other), { ...config, name: "d.iso" })).action).toBe("no-op");
  });

  test("an uploaded file keeps its content", async () => {
    const folder = mkdtempSync(join(tmpdir(), "moved-"));
    const source = join(folder, "d.iso");
    writeFileSync(source, Buffer.alloc(4096));
    const files = bench.resource("proxmox_file");
    const [from, { source_file: _, ...old }] = [
      "proxmox_virtual_environment_file",
      stateOf({ from: "proxmox_virtual_environment_file" }),
    ];
    const moved = await files.move(bpg, from, { ...old, source_file: [{ path: source }] });
    const read = await files.refresh(moved);
    const plan = await files.plan(read, { ...place, source });
    expect(plan.action).toBe("no-op");
    const applied = await files.apply(plan);
    const { calls } = bench.simulator.sim.log.summary() as { calls: { endpoint: string }[] };
    expect(calls.filter(({ endpoint }) => endpoint.endsWith("/upload"))).toEqual([]);
    await files.expectSettled(applied, { ...place, source });
    rmSync(folder, { recursive: true });
  });
});

describe("a state that does not say which object it is", () => {
  test.each([
    ["proxmox_group", "proxmox_virtual_environment_group", { comment: "lost" }, "group it is: it has nothing for `id`"],
    ["proxmox_acl", "proxmox_acl", { path: "/vms", role_id: "Ops" }, "ACL entry it is: it has nothing for `id`"],
    ["proxmox_token", "proxmox_user_token", { user_id: 7 }, "token it is: it has nothing for `user`, `name`"],
  ])("%s refuses it", async (to, from, old, message) => {
    await expect(bench.resource(to).move(bpg, from, old)).rejects.toThrow(message);
  });
});

test("a pool of Telmate's comes over", async () => {
  const pools = bench.resource("proxmox_pool");
  const config = { id: "blue", comment: "blue things" };
  await pools.create(config);
  const moved = await pools.move(telmate, "proxmox_pool", { id: "pools/blue", poolid: "blue", comment: "blue things" });
  expect((await pools.plan(await pools.refresh(moved), config)).action).toBe("no-op");
});

test("a user without an end has none here", async () => {
  const old = { user_id: "ann@pve", expiration_date: "1970-01-01T00:00:00Z" };
  const moved = await bench.resource("proxmox_user").move(bpg, "proxmox_virtual_environment_user", old);
  expect(attribute(moved, "expire")).toBeNull();
});
