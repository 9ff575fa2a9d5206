import { describe, expect, test } from "vitest";
import { boolean, integer, string } from "../../../../../src/simulator/core/schema/schema.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  sectionsDigest,
  sha1,
  typedOptions,
} from "../../../../../src/simulator/core/sections/section-config.ts";

const rules = { path: { fixed: true }, size: {}, nodes: { optional: true }, comment: { optional: true } } as const;

describe("a section", () => {
  test.each<[string, () => void, string | undefined]>([
    [
      "has all that is required",
      () => checkNewSection(rules, { path: "/a" }),
      "missing value for required option 'size'",
    ],
    [
      "has nothing unknown",
      () => checkNewSection(rules, { path: "/a", size: "1", colour: "red" }),
      "unexpected property 'colour'",
    ],
    [
      "has one line for each option",
      () => checkNewSection(rules, { path: "/a\n", size: "1" }),
      "property contains a line feed",
    ],
    [
      "keeps what is fixed",
      () => checkSectionUpdate(rules, { path: "/b" }),
      "can't change value of fixed parameter 'path'",
    ],
    ["is right otherwise", () => checkNewSection(rules, { path: "/a", size: "1", nodes: "n" }), undefined],
    ["is changed in part", () => checkSectionUpdate(rules, { nodes: "n" }), undefined],
    ["loses what it may", () => void checkDeletions(rules, "nodes;comment", {}), undefined],
    ["keeps what it must", () => void checkDeletions(rules, "size", {}), "unable to delete required option 'size'"],
    [
      "does not lose what it gets",
      () => void checkDeletions(rules, "nodes", { nodes: "n" }),
      "cannot set and delete property 'nodes' at the same time!",
    ],
  ])("%s", (_, act, complaint) => {
    if (complaint === undefined) {
      expect(act).not.toThrow();
    } else {
      expect(act).toThrow(complaint);
    }
  });

  test("drops options that are empty, deleted, or a false disable", () => {
    expect(changedOptions({ a: "1", b: "2" }, { b: "", c: "3", disable: "0" }, ["a"])).toEqual({ c: "3" });
    expect(changedOptions({}, { disable: "1" })).toEqual({ disable: "1" });
  });
});

describe("the file", () => {
  test("has the comment first, then what is required, then the rest, and blank lines between", () => {
    const sections = {
      one: { type: "t", options: { nodes: "n", size: "1", path: "/a", comment: "c", disable: "1" } },
      two: { type: "t", options: { path: "/b", size: "2", nodes: ["x", "y"] } },
    };
    const text =
      "t: one\n\tcomment c\n\tdisable\n\tpath /a\n\tsize 1\n\tnodes n\n\n" +
      "t: two\n\tpath /b\n\tsize 2\n\tnodes x\n\tnodes y\n\n";
    expect(sectionsDigest(sections, () => rules)).toBe(sha1(text));
  });

  test("is protected by its digest where one is given", () => {
    expect(() => assertDigest("a", undefined)).not.toThrow();
    expect(() => assertDigest("a", "")).not.toThrow();
    expect(() => assertDigest("a", "b")).toThrow(
      "detected modified configuration - file changed by other user? Try again.",
    );
  });

  test("is answered with numbers where the schema has them", () => {
    const properties = { on: boolean(), count: integer(), name: string() };
    expect(typedOptions({ on: "1", count: "7", name: "7" }, properties)).toEqual({ on: 1, count: 7, name: "7" });
  });
});
