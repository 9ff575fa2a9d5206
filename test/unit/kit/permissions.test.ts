import { expect, test } from "vitest";
import { isMet, privilegesOn } from "../../../src/kit/permissions.ts";

/** The flag says whether a privilege is passed on to paths below. */
const permissions = {
  "/": { "Sys.Audit": true, "Sys.Modify": false },
  "/vms": { "VM.Audit": true, "VM.Clone": false },
  "/vms/401": { "VM.PowerMgmt": true },
  "/sdn/zones/lab": { "SDN.Use": false },
};

test.each([
  ["a path with an entry of its own has that and nothing from above", "/vms/401", ["VM.PowerMgmt"]],
  ["one without has what is passed on from the nearest path above", "/vms/402", ["VM.Audit"]],
  ["what is not passed on holds on the path itself", "/vms", ["VM.Audit", "VM.Clone"]],
  ["an entry that passes nothing on ends what comes from above", "/sdn/zones/lab/web", []],
  ["the last path above is the root", "/storage/ceph", ["Sys.Audit"]],
])("%s", (_, path, expected) => {
  expect(privilegesOn(permissions, path)).toEqual(expected);
});

test("nothing is granted where there are no entries", () => {
  expect(privilegesOn({}, "/vms/401")).toEqual([]);
});

test.each([
  ["one of the privileges on one of the paths is enough", ["VM.Clone", "VM.PowerMgmt"], ["/vms/402", "/vms/401"], true],
  ["a privilege on another path is not", ["VM.PowerMgmt"], ["/vms", "/vms/402"], false],
  ["another privilege on the path is not", ["VM.Audit"], ["/vms/401"], false],
])("%s", (_, privileges, paths, expected) => {
  expect(isMet(permissions, { privileges, paths, attribute: null })).toBe(expected);
});
