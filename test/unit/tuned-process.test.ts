import { expect, test, vi } from "vitest";
import { replaceByTuned } from "../../src/tuned-process.ts";

const byTerraform = { TF_PLUGIN_MAGIC_COOKIE: "any", LANG: "C" };
const started = (more: object = {}) => {
  const execve = vi.fn();
  const process = { env: byTerraform, execPath: "/provider", argv: ["bun", "/bunfs/x", "--debug"], execve };
  replaceByTuned({ ...process, versions: { bun: "1.4.4" }, ...more } as unknown as NodeJS.Process);
  return execve;
};

test("a process of the executable that Terraform has started replaces itself with settings for the runtime", () => {
  const [file, args, env] = started().mock.calls[0] ?? [];
  expect([file, args]).toEqual(["/provider", ["/provider", "--debug"]]);
  expect(env).toMatchObject({ ...byTerraform, BUN_JSC_thresholdForJITAfterWarmUp: expect.stringMatching(/^\d+$/) });
});

test("it does so once, and not against the settings of the user", () => {
  const execve = started();
  expect(started({ env: execve.mock.calls[0]?.[2] })).not.toHaveBeenCalled();
  expect(started({ env: { ...byTerraform, BUN_JSC_thresholdForOptimizeSoon: "1" } })).not.toHaveBeenCalled();
});

test("commands of users, and Node, run as they are", () => {
  expect(started({ env: { LANG: "C" } })).not.toHaveBeenCalled();
  expect(started({ versions: { node: "24.0.0" } })).not.toHaveBeenCalled();
});

test("a process that cannot be replaced goes on", () => {
  const refused = () => {
    throw new Error("EPERM");
  };
  expect(() => started({ execve: refused })).not.toThrow();
  expect(() => started({ execve: undefined })).not.toThrow();
});
