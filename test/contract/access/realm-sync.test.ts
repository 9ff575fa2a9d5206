import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";

const directory = { type: "ldap", server1: "192.0.2.20", base_dn: "dc=example,dc=com", user_attr: "uid" };

let bench: ResourceBench;

beforeAll(async () => {
  const realms = [
    { ...directory, realm: "corp" },
    { ...directory, realm: "closed", server1: "127.0.0.1", port: 9, "sync-defaults-options": "scope=both" },
  ];
  bench = await ResourceBench.open({ seed: { ...(defaultSeed() as object), realms } });
});
beforeEach(() => bench.configure());
afterAll(() => bench.close());

const sync = (config: Record<string, string | boolean | string[]>) =>
  invoke(bench.provider, "proxmox_realm_sync", config as never);

describe("proxmox_realm_sync", () => {
  test("shows the log of its task", async () => {
    const { progress, diagnostics } = await sync({ realm: "corp", scope: "both", dry_run: true });
    expect(diagnostics).toEqual([]);
    expect(progress.join("\n")).toContain("Realm corp: starting sync for realm corp");
  });

  test("sends all of its settings", async () => {
    const { diagnostics } = await sync({
      realm: "corp",
      scope: "users",
      enable_new: false,
      remove_vanished: ["entry", "acl"],
    });
    expect(diagnostics).toEqual([]);
  });

  test.each([
    [{ realm: "corp" }, /scope/],
    [{ realm: "pve", scope: "users" }, /is of type `pve`/],
    [{ realm: "none", scope: "users" }, /Realm does not exist/],
    [{ realm: "closed" }, /Connection refused/],
  ])("%o fails with the reason", async (config, message) => {
    const { diagnostics } = await sync(config);
    expect(diagnostics.map(({ summary, detail }) => `${summary} ${detail}`).join()).toMatch(message);
  });
});

describe("proxmox_realm_sync_job", () => {
  const job = { id: "nightly", realm: "corp", schedule: "daily", scope: "both" };
  const rows: readonly (readonly [string, Input, string])[] = [
    ["a realm without a directory", { ...job, realm: "pve" }, "is of type `pve`"],
    ["a realm that does not exist", { ...job, realm: "none" }, "Realm `none` does not exist"],
    ["a line of cron", { ...job, schedule: "0 2 * * *" }, "not a line of cron"],
    ["an ID of one letter", { ...job, id: "x" }, "Must be a letter and then"],
    ["a comment of two lines", { ...job, comment: "a\nb" }, "one line"],
  ];
  test.each(rows)("refuses %s in the plan", async (_, config, message) => {
    await expect(bench.resource("proxmox_realm_sync_job").plan(null, config)).rejects.toThrow(message);
  });

  test("takes a realm that the same plan creates, whichever is planned first", async () => {
    const [jobs, realms] = [bench.resource("proxmox_realm_sync_job"), bench.resource("proxmox_realm")];
    const ldap = { server: "192.0.2.20", base_dn: "dc=example,dc=com", user_attribute: "uid" };
    const early = jobs.plan(null, { ...job, realm: "fresh" });
    await realms.plan(null, { id: "fresh", ldap });
    expect((await early).action).toBe("create");
    expect((await jobs.plan(null, { ...job, id: "late", realm: "fresh" })).action).toBe("create");
  });
});
