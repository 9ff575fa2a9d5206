import { describe, expect, test } from "vitest";
import type { GuestConfig } from "#pve";
import { compareGuests } from "../../../../src/resources/guest/identity.ts";
import type { GuestKind } from "../../../../src/resources/guest/kind.ts";
import { standingOf } from "../../../../src/resources/guest/lifecycle/being-made.ts";
import { markOf, newMark, withMark, withoutMark } from "../../../../src/resources/guest/mark.ts";
import { isForeign, ownerOf } from "../../../../src/resources/guest/volume.ts";

describe("a guest is the one in the state", () => {
  test.each([
    ["with both parts", { uuid: "a", generation: "b" }, { uuid: "a", generation: "b" }, "same"],
    ["after a rollback, which renews one", { uuid: "a", generation: "b" }, { uuid: "a", generation: "c" }, "same"],
    [
      "after an administrator has changed the other",
      { uuid: "a", generation: "b" },
      { uuid: "x", generation: "b" },
      "same",
    ],
    ["not with two other parts", { uuid: "a", generation: "b" }, { uuid: "x", generation: "y" }, "another"],
    [
      "not with the only part that both have",
      { uuid: "a", generation: null },
      { uuid: "x", generation: "y" },
      "another",
    ],
    ["if there is nothing to compare", { uuid: null, generation: null }, { uuid: "x", generation: "y" }, "same"],
    ["if it has lost what could be compared", { uuid: "a", generation: null }, { uuid: null, generation: "y" }, "same"],
    ["not for certain with a name that PVE gives again", { rootfs: "a" }, { rootfs: "a" }, "unproven"],
  ])("%s", (_, known, seen, expected) => {
    expect(compareGuests(known, seen)).toBe(expected);
  });
});

describe("the mark of a guest that is being created", () => {
  const mark = newMark();

  test.each(["", "a web server", "two\n\nlines", "<!-- a comment of the user -->"])(
    "is found in its description, and removed without a trace: %j",
    (description) => {
      const marked = withMark(description, mark);
      expect(markOf(marked)).toBe(mark);
      expect(withoutMark(marked)).toBe(description);
    },
  );

  test("is the only one", () => {
    const other = newMark();
    expect(withMark(withMark("a", mark), other)).toBe(withMark("a", other));
  });

  test("is not in a description that quotes one", () => {
    const quoting = `${withMark("see", mark)} of the other VM`;
    expect(markOf(quoting)).toBeNull();
    expect(withoutMark(quoting)).toBe(quoting);
    expect(markOf(undefined)).toBeNull();
  });
});

describe("a guest whose create was given up", () => {
  const mark = newMark();
  const kind = { cloneLock: "clone" } as GuestKind;
  const config = (description: string, lock?: string) => ({ description, ...(lock && { lock }) }) as GuestConfig;
  const unread = { fingerprint: null, mark };

  test.each([
    ["is ours with the mark of that create", unread, config(withMark("web", mark)), "ours"],
    ["is not with the mark of another one", unread, config(withMark("web", newMark())), "foreign"],
    ["is not without a mark", unread, config("web"), "foreign"],
    ["may be ours while PVE makes it", unread, config("", "clone"), "unknown"],
    ["is judged by its fingerprint once it was read", { fingerprint: { uuid: "a" }, mark }, config(""), null],
    ["is judged by nothing without a mark to compare", { fingerprint: null, mark: null }, config(""), null],
  ] as const)("%s", (_, privateState, seen, expected) => {
    expect(standingOf(kind, privateState, seen)).toBe(expected);
  });
});

describe("a volume", () => {
  test.each([
    ["local-lvm:vm-401-disk-0", 401],
    ["local-zfs:subvol-402-disk-1", 402],
    ["nas:403/vm-403-disk-0.qcow2", 403],
    ["ceph:base-9000-disk-0/vm-404-disk-0", 404],
    ["nas:9000/base-9000-disk-0.qcow2/405/vm-405-disk-0.qcow2", 405],
    ["ceph:base-9000-disk-0", 9000],
    ["nas:iso/debian.iso", null],
    ["nas:iso/vm-401.iso", null],
  ])("%s belongs to %s", (volume, owner) => {
    expect(ownerOf(volume)).toBe(owner);
  });

  test.each([
    ["of another guest outlives the guest", "local-lvm:vm-900-data", 401, true],
    ["of the guest goes with it", "local-lvm:vm-401-disk-0", 401, false],
    ["of the guest that is a linked clone goes with it", "ceph:base-9000-disk-0/vm-401-disk-0", 401, false],
    ["that is the base of another's linked clone is that one's", "ceph:base-401-disk-0/vm-900-disk-0", 401, true],
    ["that is a base image is for many guests", "ceph:base-9000-disk-0", 401, false],
    ["without an owner is for many guests", "nas:iso/debian.iso", 401, false],
    ["of any guest is foreign to one that does not exist yet", "local-lvm:vm-900-data", null, true],
  ])("%s", (_, volume, vmid, expected) => {
    expect(isForeign(volume, vmid)).toBe(expected);
  });
});
