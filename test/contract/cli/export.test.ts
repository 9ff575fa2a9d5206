import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultSeed, startSimulator } from "#simulator";
import { run } from "../../../src/cli/export/export.ts";
import { labSeed } from "../simulator/lab.ts";
import { type Seen, type, variablesFor } from "./person.ts";
import { richSeed, type Seed } from "./rich-seed.ts";

const folder = mkdtempSync(join(tmpdir(), "export-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Export extends Seen {
  readonly seed: Seed;
}

let files = 0;

/** Exports a cluster with this seed. */
async function exportOf(seed: Seed, { token, args = [] }: { token?: string; args?: string[] } = {}): Promise<Export> {
  const simulator = await startSimulator({ speed: 100, seed });
  const file = join(folder, `${++files}.json`);
  try {
    const seen = await type(run, ["--out", file, ...args], variablesFor(simulator, token));
    return { ...seen, seed: seen.code === 0 ? JSON.parse(readFileSync(file, "utf8")) : {} };
  } finally {
    await simulator.close();
  }
}

describe("the export of a cluster", () => {
  it.each([
    ["a cluster with everything", richSeed, "root@pam!admin"],
    ["the simulator's own", defaultSeed() as Seed, "root@pam!admin"],
  ])("starts a copy that is exported alike: %s", async (_, seed, token) => {
    const first = await exportOf(seed, { token });
    expect(first).toMatchObject({ code: 0 });
    const second = await exportOf(first.seed, { token });
    expect(second.seed).toEqual(first.seed);
    for (const name of Object.keys(seed).filter((member) => !["bridges", "interfaces", "behaviour"].includes(member))) {
      expect(first.seed, name).toHaveProperty([name]);
    }
  });

  it("has the configurations in backups, which a restore needs", async () => {
    const { seed } = await exportOf(richSeed, { token: "root@pam!admin" });
    expect(seed["backups"]).toContainEqual(
      expect.objectContaining({ config: expect.objectContaining({ name: "web" }) }),
    );
  });

  it("has no secret", async () => {
    const { seed } = await exportOf(richSeed, { token: "root@pam!admin" });
    const text = JSON.stringify(seed);
    for (const secret of ["CF_Token", ...labSeed.tokens.map(({ secret: own }) => own)])
      expect(text).not.toContain(secret);
  });

  it("is made with the rights of an auditor, and lists what they do not show", async () => {
    const { code, stdout, stderr, seed } = await exportOf(richSeed, { token: "auditor@pve!tk" });
    expect(code).toBe(0);
    expect(stdout).toContain("2 nodes");
    expect(stderr).toContain("Not in the export: /cluster/acme/account/default: Permission check failed");
    expect(seed["guests"]).toHaveLength((richSeed["guests"] as unknown[]).length);
  });

  it("does not overwrite a file, and only its owner can read it", async () => {
    const file = join(folder, "mine.json");
    writeFileSync(file, "mine");
    const simulator = await startSimulator({ speed: 100, seed: richSeed });
    try {
      const env = variablesFor(simulator, "root@pam!admin");
      expect(await type(run, ["--out", file], env)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--force"),
      });
      expect(readFileSync(file, "utf8")).toBe("mine");
      const other = join(folder, "other.json");
      expect(await type(run, ["--out", other], env)).toMatchObject({ code: 0 });
      expect(statSync(other).mode & 0o077).toBe(0);
    } finally {
      await simulator.close();
    }
  });

  it("says that it needs a file, and that the cluster cannot be reached", async () => {
    expect(await type(run, [], {})).toMatchObject({ code: 2, stderr: expect.stringContaining("--out FILE") });
    const env = {
      PROXMOX_VE_ENDPOINT: "https://127.0.0.1:1",
      PROXMOX_VE_API_TOKEN: "root@pam!x=00000000-0000-4000-8000-000000000000",
    };
    const seen = await type(run, ["--out", join(folder, "none.json")], env);
    expect(seen).toMatchObject({ code: 1, stderr: expect.stringContaining("The cluster cannot be read") });
  });
});

describe("a redacted export", () => {
  it("has other names, addresses and texts, and can be simulated", async () => {
    const { code, seed } = await exportOf(richSeed, { token: "root@pam!admin", args: ["--redact"] });
    expect(code).toBe(0);
    const text = JSON.stringify(seed);
    for (const word of [
      "paperless",
      "Erika",
      "198.51.100.77",
      "BC:24:11:00:00:77",
      "192.0.2.40",
      "pve1",
      "auditor",
      "office",
    ]) {
      expect(text, word).not.toContain(word);
    }
    const copy = await exportOf(seed, { token: "root@pam!token2", args: ["--redact"] });
    expect(copy.code).toBe(0);
    expect((copy.seed["guests"] as unknown[]).length).toBe((seed["guests"] as unknown[]).length);
  });

  it("keeps what belongs together", async () => {
    const { seed } = await exportOf(richSeed, { token: "root@pam!admin", args: ["--redact"] });
    const [pool] = seed["pools"] as { poolid: string; storage: string[] }[];
    const storages = (seed["storages"] as { storage: string }[]).map(({ storage }) => storage);
    expect(pool?.storage.every((storage) => storages.includes(storage))).toBe(true);
    const nodes = (seed["nodes"] as { name: string }[]).map(({ name }) => name);
    for (const { node } of seed["guests"] as { node: string }[]) expect(nodes).toContain(node);
  });
});
