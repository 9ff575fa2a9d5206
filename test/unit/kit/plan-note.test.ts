import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PlanNote } from "../../../src/kit/plan-note.ts";
import type { Session } from "../../../src/kit/session.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plan-note-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cluster = (url: string) => ({ settings: { endpoints: [url] }, identity: "root@pam" }) as unknown as Session;
const isSecond = (url = "https://pve1:8006") => new PlanNote(cluster(url), folder).isSecondPlan;

test("plans and applies of one Terraform alternate", () => {
  expect([isSecond(), isSecond(), isSecond(), isSecond()]).toEqual([false, true, false, true]);
});

test("another cluster has a plan of its own", () => {
  expect([isSecond(), isSecond("https://pve2:8006")]).toEqual([false, false]);
});

test("no apply follows a plan that is refused", () => {
  new PlanNote(cluster("https://pve1:8006"), folder).discard();
  expect(isSecond()).toBe(false);
});

test("many runs leave one file", () => {
  for (let run = 0; run < 5; run++) isSecond();
  expect(readdirSync(folder)).toHaveLength(1);
});

test("a folder that is a link is not used, and every plan counts as the first", () => {
  const link = join(folder, "link");
  symlinkSync(folder, link);
  const plans = [1, 2].map(() => new PlanNote(cluster("https://pve1:8006"), link).isSecondPlan);
  expect(plans).toEqual([false, false]);
  expect(readdirSync(folder)).toEqual(["link"]);
});
