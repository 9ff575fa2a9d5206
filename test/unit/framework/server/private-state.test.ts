import { describe, expect, it } from "vitest";
import { PrivateState } from "../../../../src/framework/server/private-state.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (of: PrivateState) => new TextDecoder().decode(of.encode());

describe("private state", () => {
  it.each([
    ["nothing", ""],
    ["what is not ours", "schema_version 1"],
    ["what looks like ours", '{"value":{"a":1}}'],
  ])("gives back %s, if the resource has none", (_, stored) => {
    expect(text(new PrivateState(bytes(stored), undefined))).toBe(stored);
  });

  it.each([
    ["begins as its author says", "", '{"value":{"digest":"","reads":0}}'],
    ["keeps what was stored", '{"value":{"digest":"x","reads":2}}', '{"value":{"digest":"x","reads":2}}'],
    ["learns what it did not know yet", '{"value":{"digest":"x"}}', '{"value":{"digest":"x","reads":0}}'],
    ["does not stumble over what is not ours", "garbage", '{"value":{"digest":"","reads":0}}'],
    ["nor over the wrong shape", '{"value":7}', '{"value":{"digest":"","reads":0}}'],
    ["nor over null", "null", '{"value":{"digest":"","reads":0}}'],
  ])("%s", (_, stored, expected) => {
    expect(text(new PrivateState(bytes(stored), { digest: "", reads: 0 }))).toBe(expected);
  });

  it("does not change what its author wrote", () => {
    const initial = { list: ["a"] };
    const state = new PrivateState(bytes(""), initial);
    (state.value as typeof initial).list.push("b");
    expect(initial.list).toEqual(["a"]);
    expect(text(state)).toBe('{"value":{"list":["a","b"]}}');
  });

  it("remembers that an object was imported until it was read", () => {
    const imported = new PrivateState(bytes(""), undefined);
    imported.imported = true;
    const next = new PrivateState(imported.encode(), undefined);
    expect(next.imported).toBe(true);
    next.imported = false;
    expect(new PrivateState(next.encode(), undefined).imported).toBe(false);
  });

  it("lets nothing reach a prototype", () => {
    const state = new PrivateState(bytes('{"value":{"__proto__":{"polluted":true}}}'), {});
    expect(state.value).not.toHaveProperty("polluted");
    expect({}).not.toHaveProperty("polluted");
  });
});
