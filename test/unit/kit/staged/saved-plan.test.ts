import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planFileOf, savedPlan } from "../../../../src/kit/staged/saved-plan.ts";

describe("the file of a saved plan", () => {
  test.each<[string, string | null]>([
    ["terraform apply lab.tfplan", "lab.tfplan"],
    ["/usr/local/bin/tofu -chdir=lab apply -auto-approve ../plans/lab.tfplan", "../plans/lab.tfplan"],
    ["terraform apply", null],
    ["terraform apply -auto-approve", null],
    ["terraform plan lab.tfplan", null],
    ["bash apply lab.tfplan", null],
    ["", null],
  ])("%s: %s", (line, expected) => {
    expect(planFileOf(line.split(" "))).toBe(expected);
  });
});

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plan-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A ZIP archive as Go writes it: sizes are in the directory at the end only. */
function archive(entries: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of Object.entries(entries)) {
    const content = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.write("PK\x03\x04", "latin1");
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02", "latin1");
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(Buffer.concat(parts).length, 42);
    parts.push(local, Buffer.from(name), content);
    directory.push(entry, Buffer.from(name));
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt32LE(Buffer.concat(parts).length, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const saved = (entries: Readonly<Record<string, string>>) => {
  const file = join(folder, "plan");
  writeFileSync(file, archive(entries));
  return savedPlan(file);
};

test("has the changes that the plans of the resources left in their private data", () => {
  const note = (...change: string[]) => `\x00\x12{"value":{"staged":${JSON.stringify(change)}}}\x1a\x03`;
  const tfplan = `${note("0a1b", "sdn", "proxmox_sdn_zone lab")}{"value":{}}${note("0a1b", "network pve1", "x pve1/vmbr1")}`;
  expect(saved({ tfstate: note("ff", "sdn", "in the state"), tfplan })).toEqual([
    ["0a1b", "sdn", "proxmox_sdn_zone lab"],
    ["0a1b", "network pve1", "x pve1/vmbr1"],
  ]);
});

test("is nothing where the file is missing or is something else", () => {
  expect(savedPlan(join(folder, "missing"))).toBeNull();
  expect(saved({ other: "" })).toBeNull();
  writeFileSync(join(folder, "text"), "variables");
  expect(savedPlan(join(folder, "text"))).toBeNull();
});
