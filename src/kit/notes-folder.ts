import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "./session.ts";

/** The cluster and the caller, in the names of notes. */
export const clusterOf = ({ settings, identity }: Session): string =>
  createHash("sha256")
    .update(JSON.stringify([settings.endpoints, identity]))
    .digest("hex")
    .slice(0, 12);

/** Notes of one run for another one on the same machine. */
export const defaultFolder = (): string => join(tmpdir(), `terraform-provider-proxmox-${process.getuid?.() ?? "user"}`);

/** A folder that another user has prepared or can write to, or a link to elsewhere, is not used. */
export function isOurs(folder: string): boolean {
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) return false;
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0);
}

/** The folder for notes, or a new one if another user has prepared that. */
export function privateFolder(): string {
  const usual = defaultFolder();
  const isUsable = attempt(() => {
    mkdirSync(usual, { recursive: true, mode: 0o700 });
    return isOurs(usual);
  });
  return isUsable ? usual : mkdtempSync(`${usual}-`);
}

/** When the process began, so that a number that is used again is another process; empty where the system does not show it. */
export function startOf(pid: number): string {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "";
  return stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "";
}

/** The process that left a note. */
export interface ProcessNote {
  readonly pid: number;
  readonly start: string;
}

/** A number that is used again is another process. */
export function isRunning({ pid, start }: ProcessNote): boolean {
  const isThere = attempt(() => process.kill(pid, 0)) ?? false;
  return isThere && startOf(pid) === start;
}

/** Notes are a help; without them nothing fails. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
