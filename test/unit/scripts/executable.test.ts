import { expect, test } from "vitest";
import { withVisibleRequires } from "../../../scripts/package/executable.ts";

test("Bun sees the modules that are required through esbuild's helper or as builtin modules", () => {
  const text = [
    'var net = __require("node:net");',
    'const http2 = process.getBuiltinModule("node:http2");',
    "const any = process.getBuiltinModule(name);",
    "var __commonJS = (cb) => function __require2() {};",
  ];
  expect(withVisibleRequires(text.join("\n")).split("\n")).toEqual([
    'var net = require("node:net");',
    'const http2 = require("node:http2");',
    ...text.slice(2),
  ]);
});
