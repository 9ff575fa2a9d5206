import { describe, expect, test } from "vitest";
import { Failure } from "../../../../../src/simulator/core/kernel/failure.ts";
import { tagListFormat, vmidFormat } from "../../../../../src/simulator/core/schema/formats.ts";
import { propertyFormat } from "../../../../../src/simulator/core/schema/property-string.ts";
import {
  array,
  boolean,
  indexed,
  integer,
  number,
  object,
  optional,
  type Properties,
  string,
} from "../../../../../src/simulator/core/schema/schema.ts";
import { checkParameters } from "../../../../../src/simulator/core/schema/validate.ts";

function errorsOf(properties: Properties, raw: Record<string, unknown>): Readonly<Record<string, string>> {
  try {
    checkParameters(properties, raw);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 400) {
      expect(thrown.message).toBe("Parameter verification failed.\n");
      return thrown.errors ?? {};
    }
    throw thrown;
  }
  return {};
}

const drive = propertyFormat({
  file: string({ default_key: true }),
  cache: string({ optional: true, enum: ["none", "writeback"] }),
  iops: integer({ optional: true, minimum: 1 }),
  iops_max: integer({ optional: true, requires: "iops" }),
});

describe("PVE's text about a parameter", () => {
  test.each<[string, Properties, unknown, string]>([
    ["an integer with letters", { p: integer() }, "4x", "type check ('integer') failed - got '4x'"],
    ["an empty integer", { p: integer() }, "", "type check ('integer') failed - got ''"],
    ["a number with letters", { p: number() }, "1.5.2", "type check ('number') failed - got '1.5.2'"],
    ["a boolean in words", { p: boolean() }, "true", "type check ('boolean') failed - got 'true'"],
    ["a boolean above one", { p: boolean() }, "2", "type check ('boolean') failed - got '2'"],
    ["a list for a text", { p: string() }, ["a", "b"], "type check ('string') failed - got ARRAY"],
    ["an object for a text", { p: string() }, { a: 1 }, "type check ('string') failed - got HASH"],
    ["a JSON boolean for a text", { p: string() }, true, "type check ('string') failed - got JSON::PP::Boolean"],
    ["an object for a list", { p: array(string()) }, { a: 1 }, "type check ('array') failed"],
    ["too small a number", { p: integer({ minimum: 16 }) }, "15", "value must have a minimum value of 16"],
    ["too large a number", { p: integer({ maximum: 128 }) }, "129", "value must have a maximum value of 128"],
    ["too short a text", { p: string({ minLength: 8 }) }, "1234567", "value must be at least 8 characters long"],
    ["too long a text", { p: string({ maxLength: 3 }) }, "1234", "value may only be 3 characters long"],
    [
      "a text of another pattern",
      { p: string({ pattern: "\\d+[KMGT]" }) },
      "10GB",
      "value does not match the regex pattern",
    ],
    [
      "a value out of the enumeration",
      { p: string({ enum: ["vm", "node"] }) },
      "pool",
      "value 'pool' does not have a value in the enumeration 'vm, node'",
    ],
    [
      "a bad format",
      { p: integer({ format: vmidFormat }) },
      "99",
      "invalid format - value does not look like a valid VM ID\n",
    ],
    [
      "a bad list item",
      { p: string({ format: tagListFormat }) },
      "ok;b@d",
      "invalid format - invalid characters in tag\n",
    ],
    [
      "a bad key of a property string",
      { p: string({ format: drive }) },
      "local:8,cache=fast",
      "invalid format - format error\np.cache: value 'fast' does not have a value in the enumeration 'none, writeback'\n",
    ],
    [
      "a key that needs another one",
      { p: string({ format: drive }) },
      "local:8,iops_max=5",
      "invalid format - format error\np.iops: missing property required by 'p.iops_max'\n",
    ],
  ])("%s", (_, properties, value, text) => {
    expect(errorsOf(properties, { p: value })).toEqual({ p: text });
  });

  test("a missing and an unknown parameter are reported together", () => {
    expect(errorsOf({ vmid: integer(), name: optional(string()) }, { nmae: "x" })).toEqual({
      vmid: "property is missing and it is not optional",
      nmae: "property is not defined in schema and the schema does not allow additional properties",
    });
  });

  test("a parameter that requires another one names both", () => {
    const properties = { path: string({ optional: true, requires: "privs" }), privs: optional(string()) };
    expect(errorsOf(properties, { path: "/" })).toEqual({ privs: "missing property required by 'path'" });
  });

  test("only the first problem of a value is reported, format before bounds", () => {
    const properties = { vmid: integer({ format: vmidFormat, minimum: 100 }) };
    expect(errorsOf(properties, { vmid: "9" })).toEqual({
      vmid: "invalid format - value does not look like a valid VM ID\n",
    });
  });

  test("an empty name, as two separators in a row give one, is the root", () => {
    expect(Object.keys(errorsOf({}, { "": undefined }))).toEqual(["_root"]);
  });

  test("places inside lists and objects are written with index and dot", () => {
    const properties = { guests: array(object({ config: object({ cores: integer() }) })) };
    const raw = { guests: [{ config: { cores: 1 } }, { config: { cores: "many" } }] };
    expect(errorsOf(properties, raw)).toEqual({
      "guests[1].config.cores": "type check ('integer') failed - got 'many'",
    });
  });
});

describe("what a handler receives", () => {
  const properties = {
    cores: integer(),
    cpulimit: number(),
    onboot: boolean(),
    tags: string({ format: tagListFormat }),
    command: array(string()),
    memory: optional(string()),
    ...indexed("net", 2, string({ optional: true })),
  };

  test("texts of a form become numbers and 0 or 1, and are kept as they were sent", () => {
    const raw = { cores: "04", cpulimit: "1.50", onboot: "1", tags: "b a", command: "uptime", net1: "virtio" };
    const { params, given } = checkParameters(properties, raw);
    expect(params).toEqual({ cores: 4, cpulimit: 1.5, onboot: 1, tags: "b a", command: ["uptime"], net1: "virtio" });
    expect(given).toMatchObject({ cores: "04", cpulimit: "1.50" });
  });

  test("JSON's own types do as well; a list for a list parameter is joined, null is a key without value", () => {
    const raw = { cores: 2, cpulimit: 0.5, onboot: false, tags: ["a", "b"], command: ["ls", "/"], memory: null };
    const { params } = checkParameters(properties, raw);
    expect(params).toEqual({
      cores: 2,
      cpulimit: 0.5,
      onboot: 0,
      tags: "a,b",
      command: ["ls", "/"],
      memory: undefined,
    });
    expect(Object.hasOwn(params, "memory")).toBe(true);
  });
});
