import { describe, expect, it } from "vitest";
import { PrivateState } from "../../../../src/framework/server/private-state.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (of: PrivateState) => new TextDecoder().decode(of.encode());

describe("private state", () => {
  it.each([
    ["nothing", ""],
    ["data of another origin", "schema_version 1"],
    ["data that looks like its own", '{"value":{"a":1}}'],
  ])("returns %s, if the resource has none", (_, stored) => {
    expect(text(new PrivateState(bytes(stored), undefined))).toBe(stored);
  });

  it.each([
    ["begins with the author's initial value", "", '{"value":{"digest":"","reads":0}}'],
    ["keeps what was stored", '{"value":{"digest":"x","reads":2}}', '{"value":{"digest":"x","reads":2}}'],
    ["adds members that were missing", '{"value":{"digest":"x"}}', '{"value":{"digest":"x","reads":0}}'],
    ["ignores data of another origin", "garbage", '{"value":{"digest":"","reads":0}}'],
    ["ignores the wrong shape", '{"value":7}', '{"value":{"digest":"","reads":0}}'],
    ["ignores null", "null", '{"value":{"digest":"","reads":0}}'],
  ])("%s", (_, stored, expected) => {
    expect(text(new PrivateState(bytes(stored), { digest: "", reads: 0 }))).toBe(expected);
  });

  it("does not change the author's initial value", () => {
    const initial = { list: ["a"] };
    const state = new PrivateState(bytes(""), initial);
    (state.value as typeof initial).list.push("b");
    expect(initial.list).toEqual(["a"]);
    expect(text(state)).toBe('{"value":{"list":["a","b"]}}');
  });

  it("records an import until the object is read", () => {
    const imported = new PrivateState(bytes(""), undefined);
    imported.imported = true;
    const next = new PrivateState(imported.encode(), undefined);
    expect(next.imported).toBe(true);
    next.imported = false;
    expect(new PrivateState(next.encode(), undefined).imported).toBe(false);
  });

  it("does not let a key reach a prototype", () => {
    const state = new PrivateState(bytes('{"value":{"__proto__":{"polluted":true}}}'), {});
    expect(state.value).not.toHaveProperty("polluted");
    expect({}).not.toHaveProperty("polluted");
  });
});
