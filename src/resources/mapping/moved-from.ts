import { bpg, type LegacyState, onlyIf } from "#kit";

/** Their `map`, one entry for each device on each node, as a map by node. */
const byNode =
  <T>(translate: (entries: readonly LegacyState[]) => T) =>
  (old: LegacyState): Record<string, T> => {
    const entries = Map.groupBy(old.blocks("map"), (entry) => entry.text("node") ?? "");
    return Object.fromEntries([...entries].map(([node, all]) => [node, translate(all)]));
  };

const common = { name: "name", comment: "comment" } as const;

const described = (entry: LegacyState | undefined) => ({
  path: entry?.text("path") ?? null,
  device_id: entry?.text("id") ?? null,
  description: entry?.text("comment") ?? null,
});

/** bpg's provider has a type for each kind of mapping. */
export const mappingsMovedFrom = [
  bpg("hardware_mapping_dir", {
    ...common,
    type: () => "dir",
    "dir.nodes": byNode(([entry]) => ({ path: entry?.text("path") })),
  }),
  bpg("hardware_mapping_pci", {
    ...common,
    type: () => "pci",
    "pci.nodes": byNode((entries) => ({
      devices: entries.map((entry) => ({
        ...described(entry),
        subsystem_id: entry.text("subsystem_id") ?? null,
        iommu_group: entry.number("iommu_group") ?? null,
      })),
    })),
    "pci.mdev": onlyIf(true, "mediated_devices"),
  }),
  bpg("hardware_mapping_usb", {
    ...common,
    type: () => "usb",
    "usb.nodes": byNode(([entry]) => described(entry)),
  }),
];
