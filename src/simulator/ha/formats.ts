import { die } from "../core/kernel/failure.ts";
import { listOf, namedFormat } from "../core/schema/format.ts";

// pve-ha-manager `src/PVE/HA/Tools.pm`.

export const resourceIdFormat = namedFormat("pve-ha-resource-id", (value) => {
  if (!/^[a-z]+:\S+$/.test(value)) {
    die("value does not look like a valid ha resource id");
  }
});
export const resourceIdListFormat = listOf(resourceIdFormat);

export const resourceOrVmIdFormat = namedFormat("pve-ha-resource-or-vm-id", (value) => {
  if (!/^(?:[a-z]+:\S+|\d+)$/.test(value)) {
    die("value does not look like a valid ha resource id");
  }
});

const nodePattern = /^([a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?::(\d+))?$/;

const haNodeFormat = namedFormat("pve-ha-node", (value) => {
  if (!nodePattern.test(value)) {
    die("value does not look like a valid ha node");
  }
});
export const haNodeListFormat = listOf(haNodeFormat);

/** `pve2:3` is node `pve2` with priority 3; without one it is 0. */
export function parseHaNode(text: string): { node: string; priority: number } {
  const [, node = text, priority = "0"] = nodePattern.exec(text) ?? [];
  return { node, priority: Number(priority) };
}
