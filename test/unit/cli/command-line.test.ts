import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { version } from "../../../src/cli/version.ts";

const main = join(import.meta.dirname, "../../../src/main.ts");

function run(args: string[], env: Record<string, string> = {}) {
  const { TF_PLUGIN_MAGIC_COOKIE: _, ...rest } = process.env;
  return spawnSync(process.execPath, [main, ...args], { encoding: "utf8", env: { ...rest, ...env } });
}

describe("the binary in a person's hands", () => {
  test.each([["--version"], ["version"], ["-v"]])("tells its version: %s", (argument) => {
    expect(run([argument])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([[["--help"]], [["-h"]], [[]]])("tells what it can do: %j", (args) => {
    const { status, stdout } = run(args);
    expect(status).toBe(0);
    for (const word of ["doctor", "import", "simulate", "--debug", "--version"]) expect(stdout).toContain(word);
  });

  test("knows no other commands, and says so in a sentence", () => {
    expect(run(["constructor"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: 'There is no command "constructor"; --help lists those there are.\n',
    });
  });

  test("is a doctor where nothing is configured yet, and ends as one who has found something", () => {
    const without = { PROXMOX_VE_ENDPOINT: "", PROXMOX_VE_ENDPOINTS: "", PM_API_URL: "" };
    const { status, stdout, stderr } = run(["doctor"], without);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toMatch(/✘ settings .*simulate.*- templates /s);
  });

  test("says how to get Terraform when a command needs it", () => {
    const { status, stderr } = run(["demo"], { PATH: "", XDG_CACHE_HOME: "/nowhere" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/terraform.*tofu.*npm run setup:tofu/s);
  });
});
