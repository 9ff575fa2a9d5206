import { describe, expect, it } from "vitest";
import { importBlock, quote, resourceBlock, resourceNames } from "../../../../src/resources/functions/import-text.ts";

describe("the name of a resource", () => {
  it.each<[what: string, vms: [number, string | null][], names: string[]]>([
    ["is derived from the VM's name", [[101, "monitoring-grafana"]], ["monitoring_grafana"]],
    ["is in small letters", [[101, "Web-1"]], ["web_1"]],
    ["has no dots", [[101, "web.example.com"]], ["web_example_com"]],
    ["does not begin with a digit", [[101, "2nd-web"]], ["vm_2nd_web"]],
    ["of a VM without one is its VMID", [[101, null]], ["vm_101"]],
    [
      "contains the VMID in all VMs that share it",
      [
        [101, "web"],
        [102, "db"],
        [103, "web"],
      ],
      ["web_101", "db", "web_103"],
    ],
    [
      "contains it where different names become the same",
      [
        [101, "web.1"],
        [102, "web-1"],
      ],
      ["web_1_101", "web_1_102"],
    ],
    [
      "is unique",
      [
        [101, "web-102"],
        [102, "web"],
        [103, "web"],
      ],
      ["web_102", "web_102_", "web_103"],
    ],
    [
      "is the VMID for a name without letters",
      [
        [101, "--"],
        [102, "日本"],
      ],
      ["vm_101", "vm_102"],
    ],
  ])("%s", (_, vms, expected) => {
    const names = resourceNames(vms.map(([vmid, name]) => ({ vmid, name })));
    expect(vms.map(([vmid]) => names.get(vmid))).toEqual(expected);
  });
});

describe("a literal", () => {
  it.each([
    ["plain", '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["back\\slash", '"back\\\\slash"'],
    ["two\nlines\tand\r", '"two\\nlines\\tand\\r"'],
    ["\u0024{var.secret}", '"$\u0024{var.secret}"'],
    ["%{ if true }", '"%%{ if true }"'],
    ["$5 and 5%", '"$5 and 5%"'],
    ["\u0000\u001b\u007f", '"\\u0000\\u001b\\u007f"'],
    ["\u202e\u2028\u0085\ufeff\u{e0041}", '"\\u202e\\u2028\\u0085\\ufeff\\U000e0041"'],
    ["\u0024\u0024{a} %%{b}", '"$\u0024\u0024{a} %%%{b}"'],
    ["\ud800", '"\ufffd"'],
    ["größer", '"größer"'],
  ])("of %j evaluates nothing", (text, literal) => {
    expect(quote(text)).toBe(literal);
  });
});

describe("blocks", () => {
  it("import by VMID, to an address", () => {
    expect(importBlock("module.a.proxmox_vm.web", 101)).toBe(
      'import {\n  to = module.a.proxmox_vm.web\n  id = "101"\n}\n',
    );
  });

  it("are minimal", () => {
    expect(resourceBlock("web", { vmid: 101, name: "web" })).toBe(
      'resource "proxmox_vm" "web" {\n  name = "web"\n  vmid = 101\n}\n',
    );
    expect(resourceBlock("vm_101", { vmid: 101, name: undefined })).toBe(
      'resource "proxmox_vm" "vm_101" {\n  vmid = 101\n}\n',
    );
  });
});
