import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Session } from "../../../../src/kit/session.ts";
import { LockNote } from "../../../../src/kit/staged/lock-note.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-note-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cluster = { settings: { endpoints: ["https://pve1:8006"] }, identity: "root@pam" } as unknown as Session;
const note = () => new LockNote(cluster, "sdn", folder);

test("a lock that its process gave up is abandoned until it is released", () => {
  note().hold("one", { isGivenUp: true });
  expect(note().abandoned()).toBe("one");
  note().release("one");
  expect(note().abandoned()).toBeNull();
});

test("a lock that its process holds is not abandoned, and one of a process that has ended is", () => {
  note().hold("one");
  expect(note().abandoned()).toBeNull();
  const [file = ""] = readdirSync(folder);
  const held = JSON.parse(readFileSync(join(folder, file), "utf8"));
  writeFileSync(join(folder, file), JSON.stringify({ ...held, start: `${held.start}0` }));
  expect(note().abandoned()).toBe("one");
});

test("a run releases its own lock only, not one that another run has noted since", () => {
  note().hold("one");
  note().hold("two", { isGivenUp: true });
  note().release("one");
  expect(note().abandoned()).toBe("two");
});
