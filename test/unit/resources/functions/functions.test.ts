import { describe, expect, it } from "vitest";
import type { Json } from "#kit";
import { importBlocksFunction } from "../../../../src/resources/functions/import-blocks.ts";
import { parseVolumeIdFunction } from "../../../../src/resources/functions/parse-volume-id.ts";
import { sizeFunction } from "../../../../src/resources/functions/size.ts";

/** Terraform's result: an error that names an argument. */
const context = {
  fail(parameter: string, message: string): never {
    throw new Error(`${parameter}: ${message}`);
  },
};

describe("size", () => {
  it.each([
    ["0", 0, "0"],
    ["1000", 1000, "1000"],
    ["1024", 1024, "1K"],
    ["8192M", 2 ** 33, "8G"],
    ["1.5T", 1.5 * 2 ** 40, "1536G"],
    [" 32G ", 2 ** 35, "32G"],
  ])("of %j", async (size, bytes, canonical) => {
    expect(await sizeFunction.call({ size }, context)).toEqual({ bytes, canonical });
  });

  it.each(["", "G", "8 GB", "-1G", "1.5", "0.3K", "1e9", "99999999T"])("%j is refused", (size) => {
    expect(() => sizeFunction.call({ size }, context)).toThrow(`size: "${size}" is no size`);
  });
});

describe("parse_volume_id", () => {
  const nothing = { vmid: null, format: null, base: null, is_base: false, is_cloud_init: false };
  const parse = async (volume_id: string) => parseVolumeIdFunction.call({ volume_id }, context);

  it.each<[string, object]>([
    ["local-lvm:vm-100-disk-0", { storage: "local-lvm", name: "vm-100-disk-0", content: "images", vmid: 100 }],
    ["local-lvm:base-9000-disk-0", { name: "base-9000-disk-0", vmid: 9000, is_base: true }],
    ["local-lvm:vm-100-cloudinit", { vmid: 100, is_cloud_init: true }],
    [
      "nas:100/vm-100-disk-1.qcow2",
      { path: "100/vm-100-disk-1.qcow2", name: "vm-100-disk-1.qcow2", vmid: 100, format: "qcow2" },
    ],
    [
      "nas:9000/base-9000-disk-0.qcow2/101/vm-101-disk-0.qcow2",
      { name: "vm-101-disk-0.qcow2", vmid: 101, format: "qcow2", base: "base-9000-disk-0.qcow2" },
    ],
    ["zfs:base-9000-disk-0/vm-101-disk-0", { vmid: 101, base: "base-9000-disk-0" }],
    ["local:iso/debian-13.iso", { content: "iso", path: "iso/debian-13.iso", name: "debian-13.iso" }],
    ["local:import/debian.qcow2", { content: "import", name: "debian.qcow2" }],
    ["local:snippets/user.yaml", { content: "snippets" }],
  ])("of %s", async (text, expected) => {
    expect(await parse(text)).toMatchObject({ ...nothing, ...expected });
  });

  it.each(["none", "cdrom", "", "/dev/sda", "local:", ":iso/a.iso", "C:\\images"])("%j is refused", async (text) => {
    await expect(parse(text)).rejects.toThrow(/^volume_id: ".*" is no volume id/);
  });
});

describe("import_blocks", () => {
  const blocks = (vms: Json, ...module: string[]) => importBlocksFunction.call({ vms, module }, context);

  it("has a block for each VM, and ignores other members", () => {
    expect(
      blocks([
        { vmid: 101, name: "web-1", node: "pve1", tags: [] },
        { vmid: 102, name: null },
      ]),
    ).toBe(
      'import {\n  to = proxmox_vm.web_1\n  id = "101"\n}\n\nimport {\n  to = proxmox_vm.vm_102\n  id = "102"\n}\n',
    );
  });

  it("is empty for no VMs", () => {
    expect(blocks([])).toBe("");
  });

  it.each(["module.a", 'module.a["x"].module.b[0]'])("puts resources into %s", (module) => {
    expect(blocks([{ vmid: 101, name: "web" }], module)).toContain(`to = ${module}.proxmox_vm.web\n`);
  });

  it.each<[what: string, message: string, vms: Json, ...module: string[]]>([
    ["one VM instead of a list", "vms: Expected a list", { vmid: 101, name: "web" }],
    ["a number", "vms: Element 0 has no `vmid`", [101]],
    ["no VMID", "vms: Element 1 has no `vmid`", [{ vmid: 101, name: "a" }, { name: "b" }]],
    ["an invalid VMID", "vms: Element 0 has no `vmid`", [{ vmid: "x", name: "a" }]],
    ["a VM twice", "vms: VM 101 is in the list twice", [{ vmid: 101 }, { vmid: 101 }]],
    ["an invalid module", 'module: "web" is no address of a module', [], "web"],
    ["text that would become another block", "module: ", [], "module.a\n}"],
    ["two modules", "module: At most one", [], "module.a", "module.b"],
  ])("refuses %s", (_, message, vms, ...module) => {
    expect(() => blocks(vms, ...module)).toThrow(message);
  });
});
