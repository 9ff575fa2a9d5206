import { afterEach, expect, it, vi } from "vitest";
import { plainProcess } from "../../../src/cli/plain-output.ts";
import { plainText as plain } from "../../../src/text/plain-text.ts";

afterEach(() => vi.restoreAllMocks());

it.each([
  ["the order to clear a screen", "a\u001b[2Jb", "a\\u001b[2Jb"],
  ["an order in one character", "a\u009b2J", "a\\u009b2J"],
  ["a carriage return, which overwrites a line", "safe\rFAKE", "safe\\u000dFAKE"],
  ["text in another direction", "a\u202eb", "a\\u202eb"],
  ["a hidden tag beyond the first plane", "a\u{e0041}", "a\\udb40\\udc41"],
  ["lines and columns", "a\tb\nc\n", "a\tb\nc\n"],
])("control characters are shown as codes: %s", (_, text, shown) => {
  expect(plain(text)).toBe(shown);
});

it("the value in JSON stays the same", () => {
  const value = { name: "a\u009b\u202e\u001b[2J\u{e0041}" };
  expect(JSON.parse(plain(JSON.stringify(value)))).toEqual(value);
});

it("no command has another way to the terminal", async () => {
  const written: unknown[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(text) > 0);
  plainProcess().stderr.write("x\u001b]0;title\u0007\nError: y\n");
  expect(written).toEqual(["x\\u001b]0;title\\u0007\n  | Error: y\n"]);
  const { commands } = await import("../../../src/cli/commands.ts");
  // The texts of `demo` are its own and those of its own simulator.
  for (const [name, { run }] of Object.entries(commands))
    expect(String(run), name).toContain(name === "demo" ? "run(args)" : "run(args, context)");
});
