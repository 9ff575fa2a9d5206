import { expect, test } from "vitest";
import { attributesInUse, pathOfOption } from "#kit";
import { realm } from "../../../src/resources/access/realm/realm.ts";
import { attributes } from "../../../src/resources/vm/attributes.ts";

test.each([
  ["boot", ["boot_order"]],
  ["cores", ["cpu", "cores"]],
  ["cpu", ["cpu"]],
  ["scsi0", ["disks", "scsi0"]],
])("the option %s is named by its attribute", (option, path) => {
  expect(pathOfOption(attributes, option)).toEqual(path);
});

test.each([
  [{ ldap: null, ad: {} }, ["ad", "server"]],
  [{ ldap: {}, ad: null }, ["ldap", "server"]],
])("of two types with one option, the one in use is named: %j", (given, path) => {
  const nothing = { openid: null, pam: null, pve: null };
  expect(pathOfOption(attributesInUse(realm.attributes, { ...nothing, ...given }), "server1")).toEqual(path);
});
