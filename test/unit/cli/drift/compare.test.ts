import { describe, expect, test } from "vitest";
import { compare } from "../../../../src/cli/drift/compare.ts";
import { objectsOf } from "../../../../src/cli/drift/objects.ts";
import type { Fields } from "../../../../src/cli/export/reader.ts";
import { richSeed } from "../../../contract/cli/rich-seed.ts";

const turned = (value: unknown, member = ""): unknown => {
  if (Array.isArray(value)) {
    const elements = value.map((one) => turned(one));
    return member === "rules" ? elements : elements.reverse();
  }
  if (typeof value === "string" && !["comment", "description", "name"].includes(member)) {
    return value.split(",").reverse().join(",");
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, turned(one, name)] as const);
  return Object.fromEntries(entries.reverse());
};

const storages = [
  { storage: "nas", type: "nfs", content: "iso,images,backup", "prune-backups": "keep-last=3,keep-daily=7" },
  { storage: "local", type: "dir", content: ["iso", "backup"], nodes: "pve2,pve1" },
];
const guests = [
  {
    vmid: 100,
    node: "pve1",
    type: "qemu",
    config: { net0: "virtio=BC:24:11:00:00:01,bridge=vmbr0", boot: "order=scsi0;net0" },
  },
];
const cluster = { options: { crs: { "ha-rebalance-on-start": 1, ha: "static" } } };
const firewall = {
  cluster: {
    rules: [
      { type: "in", action: "DROP" },
      { type: "in", action: "ACCEPT" },
    ],
  },
};
const seed: Fields = { ...richSeed, storages, guests, cluster, firewall };

describe("what PVE prints in another order", () => {
  test("is no drift", () => {
    const objects = objectsOf(seed);
    const later = new Map([...objects].reverse().map(([name, fields]) => [name, turned(fields) as Fields]));
    expect(compare(objects, later)).toEqual([]);
  });

  test.each<[string, Fields, Fields]>([
    ["another order of rules", { rules: [{ pos: 1 }, { pos: 2 }] }, { rules: [{ pos: 2 }, { pos: 1 }] }],
    ["another boot order", { boot: "order=scsi0;net0" }, { boot: "order=net0;scsi0" }],
    ["another order of name servers", { nameserver: "192.0.2.1 192.0.2.2" }, { nameserver: "192.0.2.2 192.0.2.1" }],
    ["another sentence", { comment: "yes,no" }, { comment: "no,yes" }],
    ["one part more", { content: "iso,images" }, { content: "images,iso,backup" }],
  ])("%s is drift", (_, before, after) => {
    expect(compare(new Map([["one", before]]), new Map([["one", after]]))).toHaveLength(1);
  });
});
