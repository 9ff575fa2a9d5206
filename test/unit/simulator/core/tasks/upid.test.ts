import { expect, test } from "vitest";
import { decodeUpid, encodeUpid } from "../../../../../src/simulator/core/tasks/upid.ts";

const upid = {
  node: "pve1",
  pid: 0x3b4a1,
  pstart: 0x1e2f3a4,
  starttime: 0x66c1d2e3,
  type: "qmclone",
  id: "9000",
  user: "tf@pve!ci",
};

test("a UPID is written with eight upper-case hex digits a number and a colon at the end", () => {
  expect(encodeUpid(upid)).toBe("UPID:pve1:0003B4A1:01E2F3A4:66C1D2E3:qmclone:9000:tf@pve!ci:");
});

test.each([
  ["with an id", upid],
  ["without one", { ...upid, type: "imgcopy", id: "" }],
  ["on a host that has been up for two years", { ...upid, pstart: 0x1_0000_0000 }],
])("it is read back %s", (_, fields) => {
  expect(decodeUpid(encodeUpid(fields))).toEqual(fields);
});

test.each([
  "UPID:foo",
  "UPID:pve1:0003B4A1:01E2F3A4:66C1D2E3:qmclone:9000:tf@pve!ci",
  "UPID:pve_1:0003B4A1:01E2F3A4:66C1D2E3:qmclone:9000:root@pam:",
  "UPID:pve1:3B4A1:01E2F3A4:66C1D2E3:qmclone:9000:root@pam:",
])("%s is not a UPID", (text) => {
  expect(decodeUpid(text)).toBeUndefined();
});
