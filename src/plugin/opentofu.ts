import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { basename } from "node:path";

/**
 * Whether OpenTofu started this process. It says so nowhere in the protocol, so this goes by the name of the parent, and
 * is no more than a reason for a better message.
 */
export function isStartedByOpenTofu(): boolean {
  try {
    return /tofu/i.test(basename(parentName()));
  } catch {
    return false;
  }
}

function parentName(): string {
  if (process.platform === "linux") return readlinkSync(`/proc/${process.ppid}/exe`);
  return execFileSync("ps", ["-o", "comm=", "-p", String(process.ppid)], { encoding: "utf8", timeout: 2000 }).trim();
}
