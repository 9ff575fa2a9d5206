import { expect, test } from "vitest";
import { int, list, map, nested, string } from "#framework";
import { validate } from "../../../../src/framework/schema/validate.ts";

const long = string({ check: (text) => (text.length < 8 ? "Must be longer." : undefined) });
const plain = { mode: "optional", doc: "" } as const;
const login = nested({
  name: { ...plain, type: long },
  password: { ...plain, type: long, sensitive: true },
  token: { ...plain, type: long, writeOnly: true },
});
const root = nested({
  name: { ...plain, type: long },
  login: { ...plain, type: login },
  keys: { ...plain, type: list(long), sensitive: true },
  logins: { ...plain, type: map(login), sensitive: true },
  pin: { ...plain, type: int(), sensitive: true },
});

const value = (members: object) => new Map(Object.entries(members));

test.each([
  ["a plain value", { name: "hunter2" }, 'name is "hunter2".'],
  ["a plain value beside secrets", { login: value({ name: "hunter2" }) }, 'login.name is "hunter2".'],
  ["a sensitive value", { login: value({ password: "hunter2" }) }, "login.password is not valid."],
  ["a write-only value", { login: value({ token: "hunter2" }) }, "login.token is not valid."],
  ["an element of a sensitive list", { keys: ["hunter2"] }, "keys[0] is not valid."],
  [
    "a plain member of a sensitive map",
    { logins: value({ a: value({ name: "hunter2" }) }) },
    'logins["a"].name is not valid.',
  ],
  ["a number with digits behind the point", { pin: 47.11 }, "pin is not valid."],
])("%s is named, and quoted only if it is no secret", (_, members, place) => {
  const issues = validate(root, value(members));
  expect(issues.map((issue) => issue.place)).toEqual([place]);
});
