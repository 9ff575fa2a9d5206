/**
 * Whether OpenTofu started this process. It says so nowhere in the protocol, so this goes by the name of the parent, and
 * is no more than a reason for a better message.
 */
export function isStartedByOpenTofu(): boolean {
  try {
    return /tofu[^/]*$/i.test(parentName());
  } catch {
    return false;
  }
}

/** Hardly any process asks, so none loads these modules before. */
function parentName(): string {
  const { readlinkSync } = process.getBuiltinModule("node:fs");
  if (process.platform === "linux") return readlinkSync(`/proc/${process.ppid}/exe`);
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  return execFileSync("ps", ["-o", "comm=", "-p", String(process.ppid)], { encoding: "utf8", timeout: 2000 }).trim();
}
