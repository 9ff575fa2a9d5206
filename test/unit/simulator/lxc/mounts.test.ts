import { describe, expect, test } from "vitest";
import { mountsOf, mountType, parseMount, printMount, volumesOf } from "../../../../src/simulator/lxc/mounts.ts";

describe("mount points of a container", () => {
  test.each([
    ["rootfs", "thin:vm-1-disk-0,size=8G", "thin:vm-1-disk-0,size=8G"],
    ["rootfs", "volume=thin:vm-1-disk-0,size=8192M,acl=yes", "thin:vm-1-disk-0,acl=1,size=8G"],
    ["mp0", "mp=/data,volume=thin:vm-1-disk-1,backup=1,size=1536M", "thin:vm-1-disk-1,mp=/data,backup=1,size=1536M"],
    ["mp1", "/srv,mp=/srv,ro=1", "/srv,mp=/srv,ro=1"],
  ])("%s: %s is written %s", (key, text, printed) => {
    expect(printMount(key, parseMount(key, text))).toBe(printed);
  });

  test.each([
    ["thin:vm-1-disk-0", "volume"],
    ["/dev/sdb1", "device"],
    ["/srv/share", "bind"],
  ])("%s is a %s", (volume, type) => {
    expect(mountType({ volume })).toBe(type);
  });

  test.each([
    ["mp0", "thin:8", "format error"],
    ["mp0", "thin:8,mp=/a/../b", "format error"],
    ["rootfs", "thin:8,mp=/", "format error"],
  ])("%s: %s is refused", (key, text, complaint) => {
    expect(() => parseMount(key, text)).toThrow(complaint);
  });

  test("come in order, the root first, and volumes include the unused", () => {
    const section = { mp10: "thin:c,mp=/c", mp2: "/srv,mp=/b", rootfs: "thin:a", unused0: "thin:d", memory: "512" };
    expect(mountsOf(section).map(([key]) => key)).toEqual(["rootfs", "mp2", "mp10"]);
    expect(volumesOf(section)).toEqual(["thin:a", "thin:c", "thin:d"]);
  });
});
