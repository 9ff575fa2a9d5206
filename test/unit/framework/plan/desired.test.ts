import { expect, test } from "vitest";
import { int, string } from "#framework";
import { desiredValue } from "../../../../src/framework/plan/desired.ts";
import { UNKNOWN } from "../../../../src/framework/values/unknown.ts";
import type { Value } from "../../../../src/framework/values/value.ts";

const attributes = {
  password: { type: string(), mode: "optional", writeOnly: { trigger: "password_version" }, doc: "" },
  password_version: { type: int(), mode: "optional", local: true, doc: "" },
} as const;

const object = (password: Value, version: Value): Value =>
  new Map([
    ["password", password],
    ["password_version", version],
  ]);

test.each<[string, Value, Value, Value]>([
  ["a new object without a secret keeps what it was made with", null, object(null, null), UNKNOWN],
  ["a new object gets its secret", null, object("s3cret", 1), "s3cret"],
  ["an unchanged version leaves the secret alone", object(null, 1), object("s3cret", 1), UNKNOWN],
  ["a changed version sends it", object(null, 1), object("s3cret", 2), "s3cret"],
  ["a removed secret with its version is taken out", object(null, 1), object(null, null), null],
])("%s", (_, prior, config, expected) => {
  const planned = object(null, (config as ReadonlyMap<string, Value>).get("password_version") ?? null);
  const desired = desiredValue({ attributes, prior, config }, planned);
  expect((desired as ReadonlyMap<string, Value>).get("password")).toEqual(expected);
});
