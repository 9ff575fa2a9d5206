import { describe, expect, it } from "vitest";
import type { Adopted } from "../../../../src/cli/adopt/collect.ts";
import { configurationOf } from "../../../../src/cli/adopt/configuration.ts";
import { withReferences } from "../../../../src/cli/adopt/references.ts";
import { Secret } from "../../../../src/cli/adopt/smallest.ts";
import { inTables } from "../../../../src/cli/adopt/tables.ts";

const object = (type: string, name: string, values: Record<string, unknown>): Adopted => ({
  type: `proxmox_${type}`,
  name,
  importId: `id of ${name}`,
  identity: { id: values["id"] ?? name },
  area: "Cluster",
  values,
  all: values,
  reported: null,
  table: null,
});

const vm = (name: string, more: Record<string, unknown> = {}) => object("vm", name, { name, vmid: 100, ...more });

const written = (...objects: Adopted[]) =>
  configurationOf(withReferences(inTables(objects))).files.get("cluster.tf") ?? "";

describe("objects of one type", () => {
  it("that differ in a few values become one resource", () => {
    const disk = (size: string, pool: string) => ({ pool, disks: { scsi0: { size, slot: "a" } } });
    expect(
      written(vm("web_1", disk("8G", "a")), vm("web_2", disk("9G", "b")), vm("web_3", disk("8G", "a"))),
    ).toBe(`import {
  for_each = {
    web_1 = "id of web_1"
    web_2 = "id of web_2"
    web_3 = "id of web_3"
  }
  to = proxmox_vm.web[each.key]
  id = each.value
}

resource "proxmox_vm" "web" {
  for_each = {
    web_1 = { pool = "a", size = "8G" }
    web_2 = { pool = "b", size = "9G" }
    web_3 = { pool = "a", size = "8G" }
  }
  name = each.key
  vmid = 100
  pool = each.value.pool
  disks = {
    scsi0 = {
      size = each.value.size
      slot = "a"
    }
  }
}
`);
  });

  it("that differ in their name only are a set", () => {
    const pools = ["a", "for", "c"].map((id) => object("pool", id, { id }));
    expect(written(...pools)).toContain('  for_each = toset(["a", "for", "c"])\n  id       = each.key\n');
  });

  it.each([
    ["are two", [vm("a"), vm("b")]],
    ["have other attributes", [vm("a"), vm("b"), vm("c", { memory: 1 })]],
    ["have secrets", ["a", "b", "c"].map((name) => vm(name, { key: new Secret() }))],
    ["have long texts", ["a", "b", "c"].map((name) => vm(name, { text: name.repeat(100) }))],
    [
      "differ in too much",
      ["a", "b", "c"].map((name) => vm(name, Object.fromEntries([..."1234567"].map((key) => [`m${key}`, name])))),
    ],
  ])("stay resources of their own if they %s", (_, objects) => {
    expect(written(...objects)).not.toContain("for_each");
  });

  it("do not take a name that is in use", () => {
    const three = ["web_1", "web_2", "web_3"].map((name) => vm(name));
    expect(written(vm("web", { memory: 1 }), ...three)).toContain('resource "proxmox_vm" "web_2" {\n  for_each');
  });
});

describe("references", () => {
  const pools = ["a", "b", "c"].map((id) => object("pool", id, { id }));

  it("name the member of a resource with for_each", () => {
    expect(written(...pools, vm("web", { pool: "b" }))).toContain('pool = proxmox_pool.pools["b"].id');
  });

  it("stand in the cells of a table", () => {
    const vms = ["x", "y", "z"].map((name, index) => vm(name, { pool: "abc"[index] }));
    expect(written(...pools, ...vms)).toContain('y = { pool = proxmox_pool.pools["b"].id }');
  });

  it("are not made within one resource, which would be a cycle", () => {
    const vms = ["x", "y", "z"].map((name) => vm(name, { clone: { template: "x" } }));
    expect(written(...vms)).toContain('template = "x"');
  });
});
