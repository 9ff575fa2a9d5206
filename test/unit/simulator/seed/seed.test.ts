import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../src/simulator/endpoints.ts";
import { buildWorld } from "../../../../src/simulator/seed/build-world.ts";
import { checkGuests } from "../../../../src/simulator/seed/check-guests.ts";
import { defaultSeed } from "../../../../src/simulator/seed/default-seed.ts";
import { readSeed } from "../../../../src/simulator/seed/read-seed.ts";

const minimal = { nodes: [{ name: "pve" }], storages: [{ storage: "local", type: "dir", path: "/v" }] };

function load(seed: unknown) {
  const read = readSeed(seed);
  checkGuests(read, endpoints);
  return buildWorld(read);
}

describe("a seed that cannot be used names the place", () => {
  test.each<[string, unknown, string]>([
    ["is no object", [], "seed: must be a JSON object"],
    ["has no node", {}, "nodes: at least one node is needed"],
    ["has a member nobody knows", { ...minimal, guest: [] }, "guest: property is not defined in schema"],
    ["names a node badly", { nodes: [{ name: "a_b" }] }, "nodes[0].name: invalid format - value does not look like"],
    ["names a node twice", { nodes: [{ name: "a" }, { name: "a" }] }, "nodes[1].name: node 'a' is listed twice"],
    [
      "has a token of nobody",
      { ...minimal, tokens: [{ tokenid: "x@pve!t", secret: "s" }] },
      "tokens[0].tokenid: 'x@pve!t' is not <user>@<realm>!<name> of a user in 'users'",
    ],
    [
      "has a role with a wrong privilege",
      { ...minimal, roles: { R: ["VM.Monitor"] } },
      "roles.R[0]: 'VM.Monitor' is not a",
    ],
    ["has a small VMID", { ...minimal, guests: [{ vmid: 9, config: {} }] }, "guests[0].vmid: invalid format"],
    [
      "has a VMID twice",
      { ...minimal, guests: [100, 100].map((vmid) => ({ vmid, config: {} })) },
      "guests[1].vmid: 100 is taken",
    ],
    [
      "has a guest nowhere",
      { ...minimal, guests: [{ vmid: 100, node: "x1", config: {} }] },
      "guests[0].node: there is no node 'x1'",
    ],
    [
      "has a disk on no storage",
      { ...minimal, guests: [{ vmid: 100, config: { scsi0: "nowhere:vm-100-disk-0,size=1G" } }] },
      "guests[0].config.scsi0: there is no storage 'nowhere'",
    ],
  ])("that %s", (_, seed, complaint) => {
    expect(() => load(seed)).toThrow(complaint);
  });
});

describe("the default seed", () => {
  const world = load(defaultSeed());

  test("has three nodes, templates with their volumes, and every storage kind", () => {
    expect(Object.keys(world.nodes)).toEqual(["pve1", "pve2", "pve3"]);
    expect(world.guests[9000]?.config).toMatchObject({ name: "ubuntu-24.04-cloud", template: "1" });
    expect(world.volumes.map(({ volid }) => volid)).toContain("local-lvm:base-9000-disk-0");
    expect(new Set(Object.values(world.storages).map(({ type }) => type))).toEqual(
      new Set(["dir", "lvmthin", "zfspool", "nfs", "rbd"]),
    );
  });

  test("is plain data: saved and loaded it is the same", () => {
    expect(JSON.parse(JSON.stringify(world))).toEqual(world);
  });

  test("knows volumes on shared storages as every node's", () => {
    expect(world.volumes.find(({ volid }) => volid === "ceph:base-9001-disk-0")?.node).toBeUndefined();
    expect(world.volumes.find(({ volid }) => volid === "local-lvm:base-9000-disk-0")?.node).toBe("pve1");
  });
});
