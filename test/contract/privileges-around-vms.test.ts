import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { ResourceBench } from "./resource-bench.ts";

let bench: ResourceBench;

/** A provisioner that may use but not fill the storage `nas`, and may not use the network of pve2. */
beforeAll(async () => {
  const seed = defaultSeed() as { acl: object[]; guests: object[] };
  const user = { type: "user", ugid: "terraform@pve" };
  const acl = [
    ...seed.acl,
    { ...user, path: "/storage/nas", roleid: "PVEDatastoreUser" },
    { ...user, path: "/nodes/pve2", roleid: "PVEAuditor" },
  ];
  const guests = [...seed.guests, { vmid: 101, node: "pve1", config: { name: "web" } }];
  bench = await ResourceBench.open({ as: "terraform@pve!tf", seed: { ...seed, acl, guests } });
});

// Within one run, a privilege that many resources lack is reported once.
beforeEach(() => bench.configure("terraform@pve!tf"));
afterAll(() => bench.close());

const file = { storage: "local", node: "pve1", content: "iso", name: "x.iso", text: "x" };
const download = { storage: "local", node: "pve1", content: "iso", url: "https://example.com/y.iso" };
const mapping = { name: "share", dir: { nodes: { pve1: { path: "/srv" } } } };
const rule = { name: "near", type: "node-affinity", resources: ["vm:101"], nodes: { pve1: 1 } };

describe("the plan reports the privileges", () => {
  test.each([
    ["proxmox_file", { ...file, storage: "nas" }, /\/storage\/nas: Datastore.AllocateTemplate \(for `storage`\)/],
    ["proxmox_download", { ...download, storage: "nas" }, /\/storage\/nas: Datastore.AllocateTemplate/],
    ["proxmox_download", { ...download, node: "pve2" }, /\/nodes\/pve2: Sys.AccessNetwork or Sys.Modify \(for `url`\)/],
    ["proxmox_hardware_mapping", mapping, /\/mapping\/dir: Mapping.Modify/],
    ["proxmox_ha_resource", { sid: "vm:101" }, /\/: Sys.Console/],
    ["proxmox_ha_rule", rule, /\/: Sys.Console/],
  ])("of %s", async (type, config, message) => {
    await expect(bench.resource(type).plan(null, config)).rejects.toThrow(message);
  });

  test.each([
    ["proxmox_file", file],
    ["proxmox_download", download],
  ])("of the removal of %s, which are more than for its creation", async (type, config) => {
    const made = await bench.resource(type).create(config);
    await expect(bench.resource(type).destroy(made)).rejects.toThrow(/Datastore.Allocate \(for `storage`\)/);
  });
});
