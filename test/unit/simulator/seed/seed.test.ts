import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../src/simulator/endpoints.ts";
import { buildWorld } from "../../../../src/simulator/seed/build-world.ts";
import { checkSeed } from "../../../../src/simulator/seed/check-seed.ts";
import { defaultSeed } from "../../../../src/simulator/seed/default-seed.ts";
import { readSeed } from "../../../../src/simulator/seed/read-seed.ts";

const minimal = { nodes: [{ name: "pve" }], storages: [{ storage: "local", type: "dir", path: "/v" }] };

function load(seed: unknown) {
  const read = readSeed(seed);
  checkSeed(read, endpoints);
  return buildWorld(read);
}

describe("the error of an invalid seed names the place", () => {
  test.each<[string, unknown, string]>([
    ["is not an object", [], "seed: must be a JSON object"],
    ["has no node", {}, "nodes: at least one node is required"],
    ["has an unknown member", { ...minimal, guest: [] }, "guest: property is not defined in schema"],
    ["names a node badly", { nodes: [{ name: "a_b" }] }, "nodes[0].name: invalid format - value does not look like"],
    ["names a node twice", { nodes: [{ name: "a" }, { name: "a" }] }, "nodes[1].name: node 'a' is listed twice"],
    [
      "has a token without a user",
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
      "guests[1].vmid: VMID 100 is used twice",
    ],
    [
      "has a guest nowhere",
      { ...minimal, guests: [{ vmid: 100, node: "x1", config: {} }] },
      "guests[0].node: node 'x1' does not exist",
    ],
    [
      "has a disk on no storage",
      { ...minimal, guests: [{ vmid: 100, config: { scsi0: "nowhere:vm-100-disk-0,size=1G" } }] },
      "guests[0].config.scsi0: storage 'nowhere' does not exist",
    ],
    [
      "has an unknown option",
      { ...minimal, guests: [{ vmid: 100, config: { core: 2 } }] },
      "guests[0].config.core: unknown option",
    ],
    [
      "has a bad value deep inside an option",
      { ...minimal, guests: [{ vmid: 100, config: { scsi0: "local:100/vm-100-disk-0.raw,cache=fast" } }] },
      "guests[0].config.scsi0: invalid format - format error scsi0.cache: value 'fast' does not have a value in",
    ],
    [
      "has a storage of an unknown type",
      { ...minimal, storages: [{ storage: "s1", type: "floppy" }] },
      "storages[0].type: value 'floppy' does not have a value in the enumeration",
    ],
    [
      "has a file with an invalid name",
      { ...minimal, iso_files: ["local:iso/readme.txt"] },
      "iso_files[0]: unable to parse directory volume name 'iso/readme.txt'",
    ],
    [
      "has a volume without a valid size",
      { ...minimal, volumes: { local: [{ volume: "100/vm-100-disk-0.raw", size: "big" }] } },
      "volumes.local[0]: 'big' is not a size",
    ],
    [
      "has an unknown option in a snapshot",
      { ...minimal, guests: [{ vmid: 100, config: {}, snapshots: { s1: { core: 2 } } }] },
      "guests[0].snapshots.s1.core: unknown option",
    ],
    [
      "has an unknown option of a node",
      { nodes: [{ name: "pve", config: { color: "red" } }] },
      "nodes[0].config.color: unknown option",
    ],
    [
      "has a certificate that is none",
      { nodes: [{ name: "pve", certificate: "none" }] },
      "nodes[0].certificate: must be a certificate in PEM",
    ],
    [
      "has a notification target with an unknown option",
      { ...minimal, notifications: [{ name: "chat", type: "gotify", port: 1 }] },
      "notifications[0].port: unknown option",
    ],
    [
      "has firewall rules of a guest that is not there",
      { ...minimal, firewall: { guests: { 100: {} } } },
      "firewall.guests.100: there is no such member of the cluster",
    ],
    [
      "has a firewall file with an unknown part",
      { ...minimal, firewall: { nodes: { pve: { macros: [] } } } },
      "firewall.nodes.pve.macros: property is not defined in schema",
    ],
    [
      "has a mapping with an unknown option",
      { ...minimal, mappings: { usb: [{ id: "stick", speed: 3 }] } },
      "mappings.usb[0].speed: unknown option",
    ],
  ])("that %s", (_, seed, complaint) => {
    expect(() => load(seed)).toThrow(complaint);
  });
});

describe("a seed", () => {
  const world = load({
    nodes: [{ name: "a1" }, { name: "b1" }],
    storages: [
      { storage: "local", type: "dir", path: "/v", content: ["iso", "images"] },
      { storage: "nas", type: "nfs", server: "nas", export: "/x", path: "/mnt/pve/nas" },
    ],
    iso_files: ["local:iso/debian.iso", { volid: "nas:iso/talos.iso", size: "100M" }],
    volumes: { local: [{ volume: "100/vm-100-disk-3.qcow2", size: "8G", node: "b1" }] },
    ha_resources: [{ sid: "vm:100", state: "started" }],
    mappings: { dir: [{ id: "share", map: ["node=a1,path=/srv"] }] },
    sdn: { zones: [{ zone: "lab", type: "simple" }], vnets: [{ vnet: "lab1", zone: "lab" }] },
  });

  test("puts files on every node that has the storage, and on a shared storage once", () => {
    const where = (volid: string) => world.volumes.filter((volume) => volume.volid === volid).map(({ node }) => node);
    expect(where("local:iso/debian.iso")).toEqual(["a1", "b1"]);
    expect(where("nas:iso/talos.iso")).toEqual([undefined]);
  });

  test("derives the kind of a volume from its name", () => {
    expect(world.volumes.find(({ volid }) => volid.startsWith("local:100/"))).toMatchObject({
      content: "images",
      format: "qcow2",
      vmid: 100,
      node: "b1",
      size: 8 * 1024 ** 3,
    });
  });

  test("fills the configuration files of HA, mappings and SDN", () => {
    expect(world.ha.resources["vm:100"]).toEqual({ type: "vm", options: { state: "started" } });
    expect(world.mappings.dir["share"]?.options).toEqual({ map: ["node=a1,path=/srv"] });
    expect(world.sdn.running.vnets["lab1"]).toEqual({ type: "vnet", options: { zone: "lab" } });
  });
});

test("root@pam and its realm exist by default", () => {
  const { users, realms } = load(minimal).access;
  expect([Object.keys(users), Object.keys(realms)]).toEqual([["root@pam"], ["pam", "pve"]]);
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

  test("has volumes on shared storages on every node", () => {
    expect(world.volumes.find(({ volid }) => volid === "ceph:base-9001-disk-0")?.node).toBeUndefined();
    expect(world.volumes.find(({ volid }) => volid === "local-lvm:base-9000-disk-0")?.node).toBe("pve1");
  });
});

test.each([
  ["a line of the file", { shared: 0 }, "0"],
  ["what a node's list says", { shared: 0, active: 1 }, undefined],
  ["a shared storage in both", { shared: 1, active: 1 }, "1"],
])("`shared` of a storage is %s", (_, members, expected) => {
  const storages = [{ storage: "data", type: "dir", path: "/d", ...members }];
  expect(load({ ...minimal, storages }).storages["data"]?.options["shared"]).toBe(expected);
});
