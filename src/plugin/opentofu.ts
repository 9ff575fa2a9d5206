/**
 * Whether OpenTofu started this process. The protocol does not contain this, so it is guessed from the name of the
 * parent process and only used for better messages.
 */
export function isStartedByOpenTofu(): boolean {
  try {
    return /tofu[^/]*$/i.test(parentName());
  } catch {
    return false;
  }
}

/** Few processes need these modules, so they are loaded on demand. */
function parentName(): string {
  const { readlinkSync } = process.getBuiltinModule("node:fs");
  if (process.platform === "linux") return readlinkSync(`/proc/${process.ppid}/exe`);
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  return execFileSync("ps", ["-o", "comm=", "-p", String(process.ppid)], { encoding: "utf8", timeout: 2000 }).trim();
}
