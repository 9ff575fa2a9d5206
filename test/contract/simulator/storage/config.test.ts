import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask } = lab();

const dir = { storage: "extra", type: "dir", path: "/srv/extra" };

describe("a new storage", () => {
  test.each<[string, Record<string, string | number>, unknown]>([
    ["is answered with its id and type", dir, { storage: "extra", type: "dir" }],
    [
      "needs its type's required options",
      { storage: "extra", type: "dir" },
      "500 missing value for required option 'path'",
    ],
    ["takes no option of another type", { ...dir, vgname: "pve" }, "500 unexpected property 'vgname'"],
    [
      "has an id of its own",
      { ...dir, storage: "thin" },
      "500 create storage failed: storage ID 'thin' already defined",
    ],
    [
      "has a known type",
      { ...dir, type: "glusterfs" },
      "400 Parameter verification failed. | type: value 'glusterfs' does not have a value in the enumeration 'btrfs, cephfs, cifs, dir, esxi, iscsi, iscsidirect, lvm, lvmthin, nfs, pbs, rbd, zfs, zfspool'",
    ],
    [
      "holds known content",
      { ...dir, content: "images,films" },
      "400 Parameter verification failed. | content: invalid format - invalid content type 'films'",
    ],
    [
      "holds nothing or something",
      { ...dir, content: "none,iso" },
      "500 unable to combine 'none' with other content types",
    ],
    [
      "cannot hold nothing if it is a volume group",
      { storage: "vg", type: "lvm", vgname: "x2", content: "none" },
      "500 storage does not support content type 'none'",
    ],
    [
      "holds something if it is a directory",
      { ...dir, content: "none" },
      "500 create storage failed: unknown vtype 'none'",
    ],
    [
      "has a path without odd characters",
      { ...dir, path: "/srv/a b" },
      "500 illegal path for directory storage: /srv/a b",
    ],
    [
      "must be mounted if it says so",
      { ...dir, is_mountpoint: "yes" },
      "500 create storage failed: unable to activate storage 'extra' - directory is expected to be a mount point but is not mounted: '/srv/extra'",
    ],
    [
      "has an id that looks like one",
      { ...dir, storage: "a" },
      "400 Parameter verification failed. | storage: invalid format - storage ID 'a' cannot be shorter than 2 characters",
    ],
  ])("%s", async (_, form, expected) => {
    expect(await ask("POST /storage", form)).toEqual(expected);
  });

  test("finds the volumes of an earlier one on the same directory", async () => {
    await ask("POST /storage", dir);
    const image = { vmid: 700, filename: "vm-700-disk-0.raw", size: "1G" };
    await ask("POST /nodes/pve1/storage/extra/content", image);
    await ask("DELETE /storage/extra");
    await ask("POST /storage", { ...dir, storage: "other" });
    const [volume] = (await ask("GET /nodes/pve1/storage/other/content")) as { volid: string }[];
    expect(volume?.volid).toBe("other:700/vm-700-disk-0.raw");
  });

  test("shows what its type implies", async () => {
    await ask("POST /storage", { storage: "nas", type: "nfs", server: "192.0.2.7", export: "/vol", nodes: "pve2" });
    expect(await ask("GET /storage/nas")).toMatchObject({
      storage: "nas",
      type: "nfs",
      path: "/mnt/pve/nas",
      content: "images",
      shared: 1,
      nodes: "pve2",
    });
  });

  test("keeps flags as numbers and forgets a false disable", async () => {
    await ask("POST /storage", {
      ...dir,
      shared: 0,
      disable: 0,
      "content-dirs": "iso=isos",
      "prune-backups": "keep-last=3",
    });
    const { digest, ...storage } = (await ask("GET /storage/extra")) as { digest: string };
    expect(digest).toMatch(/^[0-9a-f]{40}$/);
    expect(storage).toEqual({
      storage: "extra",
      type: "dir",
      path: "/srv/extra",
      content: "images,rootdir",
      shared: 0,
      "content-dirs": { iso: "isos" },
      "prune-backups": "keep-last=3",
    });
  });
});

describe("a change", () => {
  test("sets and deletes options", async () => {
    expect(await ask("PUT /storage/share", { content: "images", options: "vers=4", nodes: "pve1" })).toEqual({
      storage: "share",
      type: "nfs",
    });
    await ask("PUT /storage/share", { delete: "nodes" });
    expect(await ask("GET /storage/share")).toMatchObject({ content: "images", options: "vers=4" });
    expect(await ask("GET /storage/share")).not.toHaveProperty("nodes");
  });

  test.each<[string, string, Record<string, string>, string]>([
    [
      "of a storage that is not there",
      "nope",
      { nodes: "pve1" },
      "500 update storage failed: storage 'nope' does not exist",
    ],
    [
      "that another type would take",
      "thin",
      { format: "raw" },
      "500 update storage failed: unexpected property 'format'",
    ],
    [
      "that deletes what is required",
      "thin",
      { delete: "vgname" },
      "500 update storage failed: unable to delete required option 'vgname'",
    ],
    [
      "that deletes what is fixed",
      "local",
      { delete: "snapshot-as-volume-chain" },
      "500 update storage failed: unable to delete fixed option 'snapshot-as-volume-chain'",
    ],
    ["that deletes what never was", "thin", { delete: "colour" }, "500 update storage failed: no such option 'colour'"],
    [
      "that sets and deletes one option",
      "thin",
      { nodes: "pve1", delete: "nodes" },
      "500 update storage failed: cannot set and delete property 'nodes' at the same time!",
    ],
    [
      "of an old reading",
      "thin",
      { nodes: "pve1", digest: "0".repeat(40) },
      "500 update storage failed: detected modified configuration - file changed by other user? Try again.",
    ],
  ])("%s is refused", async (_, storage, form, expected) => {
    expect(await ask(`PUT /storage/${storage}`, form)).toBe(expected);
  });

  test("is taken with the present digest", async () => {
    const { digest } = (await ask("GET /storage/thin")) as { digest: string };
    expect(await ask("PUT /storage/thin", { nodes: "pve1", digest })).toEqual({ storage: "thin", type: "lvmthin" });
  });

  test("of one storage changes the digest of all", async () => {
    const before = (await ask("GET /storage/thin")) as { digest: string };
    await ask("PUT /storage/share", { nodes: "pve1" });
    expect(((await ask("GET /storage/thin")) as { digest: string }).digest).not.toBe(before.digest);
  });
});

describe("who sees which storage", () => {
  const ids = async (token: string) =>
    ((await ask("GET /storage", undefined, token)) as { storage: string }[]).map(({ storage }) => storage).sort();

  test.each([
    ["an auditor sees all", "auditor@pve!tk", ["ceph", "local", "share", "tank", "thick", "thin"]],
    ["a user sees those with rights", "owner@pve!tk", ["thin"]],
    ["a user without privileges sees none", "nobody@pve!tk", []],
  ])("%s", async (_, token, expected) => {
    expect(await ids(token)).toEqual(expected);
  });

  test("a single one needs the right to allocate", async () => {
    expect(await ask("GET /storage/thin", undefined, "owner@pve!tk")).toBe(
      "403 Permission check failed (/storage/thin, Datastore.Allocate)",
    );
  });

  test("only those with rights over all storages create one", async () => {
    expect(await ask("POST /storage", dir, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/storage, Datastore.Allocate)",
    );
  });
});

describe("removal", () => {
  test("takes the storage out of every list", async () => {
    expect(await ask("DELETE /storage/tank")).toBeNull();
    expect(await ask("GET /storage/tank")).toBe("500 storage 'tank' does not exist");
    expect(await ask("DELETE /storage/tank")).toBe("500 delete storage failed: storage 'tank' does not exist");
  });

  test("of `local` brings it back as it was installed", async () => {
    await ask("DELETE /storage/local");
    expect(await ask("GET /storage/local")).toMatchObject({ type: "dir", path: "/var/lib/vz" });
  });
});
