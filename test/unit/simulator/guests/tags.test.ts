import { describe, expect, test } from "vitest";
import { emptyWorld } from "../../../../src/simulator/core/world/empty.ts";
import { normaliseTags } from "../../../../src/simulator/guests/tags.ts";

function worldWith(style?: string) {
  const world = emptyWorld();
  if (style !== undefined) {
    world.cluster.options["tag-style"] = style;
  }
  return world;
}

describe("tags", () => {
  test.each([
    [undefined, "web,DB;web prod", "db;prod;web"],
    ["case-sensitive=1", "web;DB;db", "DB;db;web"],
    ["ordering=config", "web;db;Web", "web;db"],
    ["ordering=config,case-sensitive=1", "b;B;a;b", "b;B;a"],
    [undefined, "", ""],
    [undefined, " ; ,", ""],
  ])("with the style %s: '%s' is kept as '%s'", (style, given, stored) => {
    expect(normaliseTags(worldWith(style), given)).toBe(stored);
  });
});
