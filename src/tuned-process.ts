/**
 * How often code must run before the executable's runtime, Bun, compiles it, and compiles it again to be faster: 10 and 100
 * times as often as Bun decides itself. A plan of 20 guests ended before either had paid (decision 027).
 */
const settings = {
  BUN_JSC_thresholdForJITAfterWarmUp: "5000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "100000",
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "100000",
  BUN_JSC_thresholdForOptimizeSoon: "100000",
};

type Started = Pick<NodeJS.Process, "env" | "execPath" | "argv" | "versions" | "execve">;

/**
 * Bun takes these settings from the environment alone, and before any of our code runs. So a process that Terraform has
 * started replaces itself once, under the same number and with the same files: 5 ms. Where that is not possible (on
 * Windows, or without the right to), it goes on as it is.
 */
export function replaceByTuned({ env, execPath, argv, versions, execve }: Started): void {
  const isSet = Object.keys(settings).some((name) => env[name] !== undefined);
  if (env["TF_PLUGIN_MAGIC_COOKIE"] === undefined || versions["bun"] === undefined || isSet) return;
  try {
    execve?.(execPath, [execPath, ...argv.slice(2)], { ...env, ...settings });
  } catch {}
}
