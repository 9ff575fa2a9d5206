import type { LegacyState } from "#kit";

/** `pve1:2,pve2`: a node without a priority has 0 (pve-ha-manager: src/PVE/HA/Rules/NodeAffinity.pm). */
export const parsePriorities = (raw: unknown): Record<string, number> =>
  Object.fromEntries(
    String(raw)
      .split(",")
      .map((text) => {
        const [node = "", priority = "0"] = text.split(":");
        return [node, Number(priority)];
      }),
  );

export const printPriorities = (nodes: unknown): string =>
  Object.entries(nodes as Record<string, number>)
    .map(([node, priority]) => `${node}:${priority}`)
    .sort()
    .join(",");

/** bpg's provider has null where a node has no priority. */
export function movedPriorities(old: LegacyState): Record<string, number> | undefined {
  const nodes = Object.entries(old.members("nodes")).map(([node, priority]) => [node, Number(priority ?? 0)] as const);
  return nodes.length === 0 ? undefined : Object.fromEntries(nodes);
}
