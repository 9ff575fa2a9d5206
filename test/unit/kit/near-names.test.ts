import { expect, test } from "vitest";
import { alternatives, nearNames } from "../../../src/kit/near-names.ts";

const names = ["ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11", "web-1", "web-2", "db-1", "web-1"];

test.each<[string, string[]]>([
  ["ubuntu", ["ubuntu-24.04-cloud"]],
  ["debain-13-cloud", ["debian-13-cloud"]],
  ["web1", ["web-1", "web-2"]],
  ["WEB-1", ["web-1", "web-2", "db-1"]],
  ["web-1.example.com", ["web-1"]],
  ["postgres", []],
])("%j may mean %j", (wanted, near) => {
  expect(nearNames(wanted, names)).toEqual(near);
});

test("the list of names is short", () => {
  const many = Array.from({ length: 100 }, (_, index) => `node-${index}`);
  expect(nearNames("node", many, 3)).toEqual(["node-0", "node-1", "node-10"]);
});

test.each([
  ["pve4", ["pve1", "pve2"], "Available: `pve1`, `pve2`."],
  [
    "local:iso/debain.iso",
    ["local:iso/debian.iso", "nas:iso/a-long-name-of-another-image.iso"],
    "Did you mean `local:iso/debian.iso`? Available: `local:iso/debian.iso`, `nas:iso/a-long-name-of-another-image.iso`.",
  ],
  ["x", [], "Available: none."],
])("a message about %s ends with the available names", (wanted, names, text) => {
  expect(alternatives(wanted, names)).toBe(text);
});

test.each<[string, string[], string]>([
  [
    "node-37",
    Array.from({ length: 40 }, (_, index) => `node-${index}`),
    "Available: `node-3`, `node-17`, `node-27`, `node-30`",
  ],
  ["vmbr33", ["bond0", "eno1", "eno2", "vmbr3"], "Available: `vmbr3`, `bond0`, `eno1`, `eno2`."],
  [
    "nas:vztmpl/alpine-3.22.tar.xz",
    ["local:iso/a.iso", "local:iso/b.iso", "nas:vztmpl/debian-13-standard.tar.zst"],
    "Available: `nas:vztmpl/debian-13-standard.tar.zst`, `local:iso/a.iso`, `local:iso/b.iso`.",
  ],
  ["", ["pve3", "pve1", "pve2", "pve4"], "Available: `pve1`, `pve2`, `pve3`, `pve4`."],
])("the list of available names begins with those near %j", (wanted, names, text) => {
  const others = names.filter((name) => name !== wanted);
  expect(alternatives(wanted, others)).toContain(text);
});

test("a message does not list everything", () => {
  const names = Array.from({ length: 40 }, (_, index) => `model-${String(index).padStart(2, "0")}`);
  expect(alternatives("other", names)).toMatch(/`model-11` and 28 more\.$/);
});
