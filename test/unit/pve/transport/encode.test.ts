import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeForm, expandPath } from "../../../../src/pve/transport/encode.ts";

const template = "/nodes/{node}/tasks/{upid}/status";
const pathFor = (node: string, upid: string) => expandPath(template, { node, upid }).path;

describe("a name in a path", () => {
  it.each([
    ["../../access/ticket", "..%2F..%2Faccess%2Fticket"],
    ["pve1/qemu/100", "pve1%2Fqemu%2F100"],
    ["pve1?x=1", "pve1%3Fx%3D1"],
    ["pve1#x", "pve1%23x"],
    ["pve1%2F..", "pve1%252F.."],
    ["pve1\r\nHost: evil", "pve1%0D%0AHost%3A%20evil"],
    ["\u0000", "%00"],
  ])("%j stays one segment", (node, segment) => {
    expect(pathFor(node, "u")).toBe(`/nodes/${segment}/tasks/u/status`);
  });

  it.each(["", ".", ".."])("cannot be %j, which is another path", (node) => {
    expect(() => pathFor(node, "u")).toThrow('requires a value for "node"');
  });

  it("never leaves its path segment, whatever a server or a user has written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
        fc.pre(name.isWellFormed() && name !== "." && name !== "..");
        const { pathname, search, hash } = new URL(pathFor("pve1", name), "https://pve1.example.com");
        const segments = pathname.split("/");
        expect([segments.length, segments[3], segments[5], search, hash]).toEqual([6, "tasks", "status", "", ""]);
        expect(decodeURIComponent(segments[4] ?? "")).toBe(name);
      }),
    );
  });
});

describe("a value in a form", () => {
  it("arrives unchanged, and adds no parameter", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        fc.pre(value.isWellFormed());
        const form = encodeForm({ name: value, vmid: 100 });
        expect([...new URLSearchParams(form)]).toEqual([
          ["name", value],
          ["vmid", "100"],
        ]);
        expect(form).not.toMatch(/[;\r\n]/);
      }),
    );
  });
});
