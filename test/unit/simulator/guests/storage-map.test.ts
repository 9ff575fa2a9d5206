import { describe, expect, test } from "vitest";
import { mapStorage, parseStorageMap } from "../../../../src/simulator/guests/storage-map.ts";

describe("a map of storages", () => {
  test.each([
    ["1", "thin", "thin"],
    ["other", "thin", "other"],
    ["thin:other", "thin", "other"],
    ["thin:other", "thick", "thick"],
    ["thin:other,last", "thick", "last"],
    ["last,thin:other", "thin", "other"],
  ])("'%s' takes %s to %s", (text, from, to) => {
    expect(mapStorage(parseStorageMap(text), from)).toBe(to);
  });

  test("that is not there keeps the storage", () => {
    expect(mapStorage(undefined, "thin")).toBe("thin");
  });

  test.each([
    ["one,two", "default target ID can only be provided once"],
    ["one:two,one:three", "duplicate mapping for source 'one'"],
    ["1,one:two", "identity mapping cannot be combined with other mappings"],
    ["1,one", "identity mapping cannot be combined with other mappings"],
    ["one:9b", "entry 'one:9b' contains invalid ID - storage ID '9b' contains illegal characters"],
    ["x", "entry 'x' contains invalid ID - storage ID 'x' cannot be shorter than 2 characters"],
  ])("cannot be '%s'", (text, complaint) => {
    expect(() => parseStorageMap(text)).toThrow(complaint);
  });
});
