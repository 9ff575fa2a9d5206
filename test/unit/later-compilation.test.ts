import { expect, test, vi } from "vitest";
import { compileLater } from "../../src/later-compilation.ts";

test("Bun compiles later; Node, and a Bun without the call, go on as they are", () => {
  const setJITPolicy = vi.fn();
  compileLater({ Bun: { unsafe: { setJITPolicy } } });
  expect(setJITPolicy).toHaveBeenCalledExactlyOnceWith(100);
  expect(() => compileLater({ Bun: { unsafe: {} } })).not.toThrow();
  expect(() => compileLater()).not.toThrow();
});
