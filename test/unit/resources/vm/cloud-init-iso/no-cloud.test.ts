import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  buildNoCloudIso,
  isoFileName,
  type NoCloudData,
} from "../../../../../src/resources/vm/cloud-init-iso/no-cloud.ts";
import { readIso } from "./iso-reader.ts";

const userData = "#cloud-config\nhostname: café\n";
const metaData = "instance-id: i-1\n";
const networkData = "version: 2\nethernets: {}\n";
const vendorData = "#cloud-config\n{}\n";
const whole = { userData, metaData, networkData, vendorData };

/** A part that takes several sectors, and one that ends where a sector does. */
const large = { userData: `#cloud-config\n# ${"x".repeat(10_000)}\n`, metaData: "m".repeat(2048), networkData: null };

const expected = (data: NoCloudData): Record<string, string> =>
  Object.fromEntries(
    [
      ["user-data", data.userData],
      ["meta-data", data.metaData],
      ["network-config", data.networkData],
      ["vendor-data", data.vendorData],
    ].filter(([, text]) => text !== null && text !== undefined),
  );

describe("a NoCloud image", () => {
  test.each<{ what: string; data: NoCloudData }>([
    { what: "all four parts", data: whole },
    { what: "the two that must be there", data: { userData, metaData } },
    { what: "parts that are empty", data: { userData: "", metaData: "", networkData: "" } },
    { what: "parts of several sectors", data: large },
  ])("contains $what under their own names", ({ data }) => {
    const { primary, joliet } = readIso(buildNoCloudIso(data));
    const texts = Object.fromEntries(Object.entries(primary.rockRidge).map(([name, { text }]) => [name, text]));
    expect(texts).toEqual(expected(data));
    expect(joliet.files).toEqual(expected(data));
  });

  test("is found by its label, in both trees", () => {
    const { primary, joliet } = readIso(buildNoCloudIso(whole));
    expect([primary.label, joliet.label]).toEqual(["cidata", "cidata"]);
  });

  test("has names of level 1 for simple readers, and files that are read-only", () => {
    const { primary } = readIso(buildNoCloudIso(whole));
    expect(Object.keys(primary.files)).toEqual(["META_DAT.;1", "NETWORK_.;1", "USER_DAT.;1", "VENDOR_D.;1"]);
    expect(Object.values(primary.rockRidge).map(({ mode }) => mode.toString(8))).toEqual(Array(4).fill("100444"));
  });

  test("is the same for the same data, and so is its name", () => {
    const [one, other] = [buildNoCloudIso(whole), buildNoCloudIso({ ...whole })];
    expect(Buffer.compare(one, other)).toBe(0);
    expect(isoFileName(401, one)).toBe(isoFileName(401, other));
    expect(isoFileName(401, one)).toMatch(/^cloud-init-401-[0-9a-f]{16}\.iso$/);
  });

  test("has another name for other data, and for another VM", () => {
    const image = buildNoCloudIso(whole);
    const names = [
      isoFileName(401, image),
      isoFileName(402, image),
      isoFileName(401, buildNoCloudIso({ ...whole, userData: `${userData} ` })),
    ];
    expect(new Set(names).size).toBe(3);
  });

  test("contains any text", () => {
    const text = fc.string({ unit: "binary", maxLength: 3_000 });
    const data = fc.record({
      userData: text,
      metaData: text,
      networkData: fc.option(text),
      vendorData: fc.option(text),
    });
    fc.assert(
      fc.property(data, (parts) => {
        expect(readIso(buildNoCloudIso(parts)).joliet.files).toEqual(expected(parts));
      }),
      { numRuns: 50 },
    );
  });
});

/** Readers of other projects. */
const readers = [
  { tool: "bsdtar", read: (image: string, name: string) => ["-xOf", image, name] },
  { tool: "isoinfo", read: (image: string, name: string) => ["-i", image, "-R", "-x", `/${name}`] },
  { tool: "isoinfo", read: (image: string, name: string) => ["-i", image, "-J", "-x", `/${name}`] },
];
const isThere = (tool: string) => spawnSync(tool, ["--version"]).error === undefined;

describe("other readers of the image", () => {
  const folder = mkdtempSync(join(tmpdir(), "no-cloud-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "image.iso");
  writeFileSync(path, buildNoCloudIso({ ...whole, userData: large.userData }));

  for (const { tool, read } of readers) {
    const kind = read("", "").find((word) => word === "-R" || word === "-J") ?? "";
    test.skipIf(!isThere(tool))(`${tool} ${kind} finds every part`, () => {
      for (const [name, text] of Object.entries(expected({ ...whole, userData: large.userData }))) {
        expect(execFileSync(tool, read(path, name), { encoding: "utf8" })).toBe(text);
      }
    });
  }

  test.skipIf(!isThere("xorriso"))("xorriso finds the label and reports no problem", () => {
    const { stderr, stdout, status } = spawnSync(
      "xorriso",
      ["-abort_on", "WARNING", "-indev", path, "-find", "/", "-exec", "lsdl", "--"],
      { encoding: "utf8" },
    );
    expect(status).toBe(0);
    expect(stderr).toMatch(/Volume id\s+: 'cidata'/);
    expect(stdout).toMatch(/-r--r--r--.*\/user-data/);
  });
});
