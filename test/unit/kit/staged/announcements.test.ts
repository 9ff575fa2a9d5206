import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Session } from "../../../../src/kit/session.ts";
import { Announcements } from "../../../../src/kit/staged/announcements.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "announcements-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cluster = (url: string) => ({ settings: { endpoints: [url] }, identity: "root@pam" }) as unknown as Session;
const session = (url = "https://pve1:8006") => new Announcements(cluster(url), folder);

test("an apply learns what the plan before it announced", () => {
  const plan = session();
  plan.add("sdn", "zone a");
  plan.add("sdn", "vnet b");
  plan.add("network pve1", "bridge c");
  const apply = session();
  expect(apply.of("sdn", "zone a")).toEqual(["zone a", "vnet b"]);
  expect(apply.of("network pve1", "bridge c")).toEqual(["bridge c"]);
});

test("the plans that an apply makes again announce nothing, and a plan does not serve itself", () => {
  const apply = session();
  apply.add("sdn", "zone a");
  expect(apply.of("sdn", "zone a")).toBeNull();
  apply.add("sdn", "zone b");
  expect(session().of("sdn", "zone b")).toBeNull();
});

test("only the latest plan counts, of the same cluster, and only if it announced the change", async () => {
  session().add("sdn", "zone a");
  await new Promise((resolve) => setTimeout(resolve, 20));
  session().add("sdn", "zone b");
  expect(session().of("sdn", "zone a")).toBeNull();
  expect(session().of("sdn", "zone b")).toEqual(["zone b"]);
  expect(session("https://other:8006").of("sdn", "zone b")).toBeNull();
});

test("what was applied is not announced any more", () => {
  session().add("sdn", "zone a");
  const apply = session();
  expect(apply.of("sdn", "zone a")).toEqual(["zone a"]);
  apply.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test("a change that was begun and not committed is known to later runs, until its scope is committed", () => {
  const run = session();
  run.begin("sdn", "vnet a");
  run.begin("network pve1", "bridge b");
  const next = session();
  expect(next.isLeft("sdn", "vnet a")).toBe(true);
  expect(next.isLeft("sdn", "vnet b")).toBe(false);
  expect(session("https://other:8006").isLeft("sdn", "vnet a")).toBe(false);
  next.end("sdn");
  expect(run.isLeft("sdn", "vnet a")).toBe(false);
  expect(run.isLeft("network pve1", "bridge b")).toBe(true);
  next.end("network pve1");
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be written, or is a link, is not used", () => {
  const link = join(folder, "link");
  symlinkSync(folder, link);
  const linked = new Announcements(cluster("https://pve1:8006"), link);
  linked.add("sdn", "zone a");
  expect(readdirSync(folder)).toEqual(["link"]);
  chmodSync(folder, 0o500);
  session().add("sdn", "zone a");
  chmodSync(folder, 0o700);
});
