import { describe, expect, test } from "vitest";
import { failureText } from "../../../../../src/simulator/core/kernel/failure.ts";
import { diskSizeFormat } from "../../../../../src/simulator/core/schema/formats.ts";
import {
  parsePropertyString,
  printPropertyString,
  propertyFormat,
} from "../../../../../src/simulator/core/schema/property-string.ts";
import { boolean, integer, string } from "../../../../../src/simulator/core/schema/schema.ts";

const nic = propertyFormat({
  model: string({ default_key: true }),
  macaddr: string({ optional: true }),
  virtio: string({ alias: "macaddr", keyAlias: "model" }),
  e1000: string({ alias: "macaddr", keyAlias: "model" }),
  bridge: string({ optional: true }),
  firewall: boolean({ optional: true }),
  tag: integer({ optional: true, minimum: 1 }),
});

const disk = propertyFormat({
  file: string({ default_key: true }),
  volume: string({ alias: "file" }),
  size: string({ optional: true, format: diskSizeFormat }),
  version: string(),
});

function complaint(read: () => unknown): string {
  try {
    read();
  } catch (thrown) {
    return failureText(thrown);
  }
  return "";
}

describe("reading a property string", () => {
  test.each([
    ["a bare value is the default key's", "virtio,bridge=vmbr0", { model: "virtio", bridge: "vmbr0" }],
    ["an alias with a key alias sets two keys", "virtio=AA:BB", { model: "virtio", macaddr: "AA:BB" }],
    ["booleans may be spelled out", "virtio,firewall=yes", { model: "virtio", firewall: "1" }],
    ["empty parts are skipped", "virtio,,bridge=b", { model: "virtio", bridge: "b" }],
    ["only the first equals sign divides", "virtio,bridge=a=b", { model: "virtio", bridge: "a=b" }],
  ])("%s", (_, text, parsed) => {
    expect(parsePropertyString(nic, text)).toEqual(parsed);
  });

  test.each([
    [
      "an unknown key",
      "virtio,speed=1",
      "format error\nnet0.speed: property is not defined in schema and the schema does not allow additional properties\n",
    ],
    ["a key twice", "virtio,tag=1,tag=2", "duplicate key in comma-separated list property: tag\n"],
    ["the default key twice", "virtio,e1000", "duplicate key in comma-separated list property: model\n"],
    ["it twice, even if it was 0 first", "0,virtio", "duplicate key in comma-separated list property: model\n"],
    ["an alias beside its key", "virtio=A,e1000=B", "key alias 'model' is already defined\n"],
    ["no key before the sign", "virtio,=x", "missing key in comma-separated list property\n"],
    [
      "a bad boolean",
      "virtio,firewall=maybe",
      "format error\nnet0.firewall: type check ('boolean') failed - got 'maybe'\n",
    ],
    ["a missing key", "bridge=vmbr0", "format error\nnet0.model: property is missing and it is not optional\n"],
  ])("refuses %s", (_, text, expected) => {
    expect(complaint(() => parsePropertyString(nic, text, "net0"))).toBe(expected);
  });

  test("without a default key a bare value is refused", () => {
    const format = propertyFormat({ a: string({ optional: true }) });
    expect(complaint(() => parsePropertyString(format, "x"))).toBe(
      "value without key, but schema does not define a default key\n",
    );
  });
});

describe("printing a property string", () => {
  test("model and address are joined, the rest follows in alphabetical order", () => {
    const parsed = { tag: "20", bridge: "vmbr0", macaddr: "BC:24:11:00:00:01", model: "virtio", firewall: "1" };
    expect(printPropertyString(nic, parsed)).toBe("virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1,tag=20");
  });

  test("the default key comes first, required keys next, and sizes are written in the largest unit", () => {
    const parsed = { size: String(32 * 1024 ** 3), version: "v2.0", file: "local:vm-1-disk-0" };
    expect(printPropertyString(disk, parsed)).toBe("local:vm-1-disk-0,version=v2.0,size=32G");
  });

  test("a comma inside a value cannot be written", () => {
    expect(complaint(() => printPropertyString(nic, { model: "a,b" }))).toBe("illegal value with commas for model\n");
  });
});
