import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test } from "vitest";

/** A uid of no user, as in containers and CI jobs, without a home. */
const uid = 54_321;
const asNobody = ["--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--", process.execPath];
const isAllowed = process.getuid?.() === 0 && spawnSync("setpriv", [...asNobody, "--version"]).status === 0;

const source = (path: string) => join(import.meta.dirname, "../../../src", path);

describe.runIf(isAllowed)("a user without an entry in passwd and without a home (requires root and setpriv)", () => {
  const folder = mkdtempSync(join(tmpdir(), "no-passwd-"));
  const { HOME: _, XDG_CACHE_HOME: __, TF_PLUGIN_MAGIC_COOKIE: ___, ...rest } = process.env;
  const env = { ...rest, TMPDIR: folder };
  spawnSync("chmod", ["1777", folder]);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("starts the simulator, whose certificate authority only that user can read", async () => {
    const child: ChildProcess = spawn("setpriv", [...asNobody, source("main.ts"), "simulate", "--port=0", "--json"], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const lines = createInterface({ input: child.stdout ?? expect.fail("no stdout") });
      const { value } = await lines[Symbol.asyncIterator]().next();
      const { ca_file } = JSON.parse(String(value)) as { ca_file: string };
      const { uid: owner, mode } = statSync(ca_file);
      expect({ owner, mode: mode & 0o777 }).toEqual({ owner: uid, mode: 0o600 });
    } finally {
      child.kill();
    }
  });

  test("can use commands that look for Terraform", () => {
    const look = `console.log((await import(${JSON.stringify(source("cli/terraform-binaries.ts"))})).findBinaries().length)`;
    const found = spawnSync("setpriv", [...asNobody, "--input-type=module", "--eval", look], { env, encoding: "utf8" });
    expect(found).toMatchObject({ status: 0, stderr: "" });
  });
});
