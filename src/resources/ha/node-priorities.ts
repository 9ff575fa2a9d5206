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
