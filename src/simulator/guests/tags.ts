import type { Caller } from "../core/access/caller.ts";
import { permissionError } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import type { World } from "../core/world/world.ts";

// Tags of guests: pve-guest-common `src/PVE/GuestHelpers.pm`, with the datacenter options about them.

/** `key=value,key=value` of datacenter.cfg. */
function datacenterOption(world: World, name: string): Record<string, string> {
  const pairs = (world.cluster.options[name] ?? "").split(",").map((pair) => pair.split("="));
  return Object.fromEntries(pairs.map(([key = "", value = ""]) => [key, value]));
}

/**
 * `get_unique_tags`: unique, joined by semicolons, in lower case and sorted unless the cluster is configured otherwise.
 */
export function normaliseTags(world: World, tags: string): string {
  const style = datacenterOption(world, "tag-style");
  const caseSensitive = style["case-sensitive"] === "1";
  const list = splitList(tags).map((tag) => (caseSensitive ? tag : tag.toLowerCase()));
  const ordered = style["ordering"] === "config" ? list : list.sort((a, b) => (a < b ? -1 : 1));
  return [...new Set(ordered)].join(";");
}

/** Tags that any user may add and remove, and those that need a privilege; `free` allows all others. */
function tagRules(world: World, caller: Caller): { allowed: Set<string>; privileged: Set<string>; free: boolean } {
  const privileged = new Set(splitList(world.cluster.options["registered-tags"] ?? ""));
  const access = datacenterOption(world, "user-tag-access");
  const policy = access["user-allow"] ?? "free";
  const allowed = new Set(policy === "none" ? [] : splitList(access["user-allow-list"] ?? ""));
  if (policy === "free" || policy === "existing") {
    for (const { vmid, config } of Object.values(world.guests)) {
      if (caller.has(`/vms/${vmid}`, ["VM.Audit"])) {
        splitList(config["tags"] ?? "").forEach((tag) => {
          allowed.add(tag);
        });
      }
    }
  }
  return { allowed, privileged, free: policy === "free" };
}

function countOf(tags: readonly string[], tag: string): number {
  return tags.filter((candidate) => candidate === tag).length;
}

/** `assert_tag_permissions`: the caller must be allowed to use every added or removed tag. */
export function checkTagPrivileges(world: World, caller: Caller, vmid: number, old: string, wanted: string): void {
  caller.checkVm(vmid, undefined, ["VM.Config.Options"]);
  if (caller.has("/", ["Sys.Modify"])) {
    return;
  }
  const before = splitList(old);
  const after = splitList(wanted);
  const { allowed, privileged, free } = tagRules(world, caller);
  for (const tag of new Set([...before, ...after])) {
    const isChanged = countOf(before, tag) !== countOf(after, tag);
    if (isChanged && (privileged.has(tag) || !(free || allowed.has(tag)))) {
      permissionError(`/, Sys.Modify for modifying tag '${tag}'`);
    }
  }
}

/**
 * PVE compares a new VM's tags with an empty hash, which as text is one odd tag. Unless every tag is free, a caller
 * without `Sys.Modify` can therefore not create a VM with tags.
 */
export const tagsOfNewVm = "HASH(0x5581c0a5e2d8)";
