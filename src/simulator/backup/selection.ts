import { die, failureText, paramError } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import type { SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { checkNotesTemplate } from "./notes.ts";

/** `verify_vzdump_parameters` of pve-manager `PVE/VZDump.pm`, about the selection of guests and their notes. */
export function checkSelection(options: SectionOptions, isComplete: boolean): void {
  const { vmid, all, exclude, pool, stop } = options;
  for (const [name, value] of Object.entries({ all: all === "1", exclude, pool })) {
    if (value && vmid) {
      paramError({ [name]: "option conflicts with option 'vmid'" });
    }
  }
  checkNotes(options["notes-template"]);
  const isAll = all === "1" || (exclude !== undefined && !pool);
  if (isComplete && !vmid && !isAll && stop !== "1" && !pool) {
    paramError({ vmid: "property is missing" });
  }
}

function checkNotes(template: SectionOptions[string] | undefined): void {
  try {
    checkNotesTemplate(String(template ?? ""));
  } catch (thrown) {
    paramError({ "notes-template": failureText(thrown) });
  }
}

/** `get_included_guests`: the selected guests by node; those that do not exist are under an empty name. */
export function selectGuests(world: World, options: SectionOptions): Map<string, number[]> {
  const { vmid, all, exclude, pool } = options;
  const only = options["node"];
  let ids: number[];
  if (pool) {
    const members = world.access.pools[String(pool)] ?? die(`pool '${pool}' does not exist`);
    ids = members.vms.map(Number);
  } else if (vmid) {
    ids = splitList(String(vmid)).map(Number);
  } else if (all === "1" || exclude !== undefined) {
    const left = new Set(splitList(String(exclude ?? "")).map(Number));
    ids = Object.values(world.guests)
      .map((guest) => guest.vmid)
      .filter((id) => !left.has(id));
  } else {
    ids = [];
  }
  const byNode = new Map<string, number[]>();
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const node = world.guests[id]?.node ?? "";
    if (node === "" || only === undefined || only === node) {
      byNode.set(node, [...(byNode.get(node) ?? []), id]);
    }
  }
  return byNode;
}
