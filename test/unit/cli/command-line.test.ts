import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { version } from "../../../src/cli/version.ts";

const main = join(import.meta.dirname, "../../../src/main.ts");

function run(args: string[], env: Record<string, string> = {}) {
  const { TF_PLUGIN_MAGIC_COOKIE: _, ...rest } = process.env;
  return spawnSync(process.execPath, [main, ...args], { encoding: "utf8", env: { ...rest, ...env } });
}

describe("the binary on the command line", () => {
  test.each([["--version"], ["version"], ["-v"]])("prints its version: %s", (argument) => {
    expect(run([argument])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([[["--help"]], [["-h"]], [[]]])("prints its commands: %j", (args) => {
    const { status, stdout } = run(args);
    expect(status).toBe(0);
    for (const word of ["doctor", "import", "simulate", "--debug", "--version"]) expect(stdout).toContain(word);
  });

  test("refuses other commands in a sentence", () => {
    expect(run(["constructor"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: 'Unknown command "constructor"; --help lists the commands.\n',
    });
  });

  test("runs the doctor where nothing is configured yet, with an exit code for problems", () => {
    const without = { PROXMOX_VE_ENDPOINT: "", PROXMOX_VE_ENDPOINTS: "", PM_API_URL: "" };
    const { status, stdout, stderr } = run(["doctor"], without);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toMatch(/✘ settings .*simulate.*- templates /s);
  });

  test("explains how to get Terraform when a command needs it", () => {
    const { status, stderr } = run(["demo"], { PATH: "", XDG_CACHE_HOME: "/nowhere" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/terraform.*tofu.*npm run setup:tofu/s);
  });
});
