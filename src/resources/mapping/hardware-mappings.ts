import { defineDataSource, found, getNode, int, list, nested, nullable, oneOf, type Session, string } from "#kit";
import type { Mapping } from "#pve";

const kinds = ["dir", "pci", "usb"] as const;

type Kind = (typeof kinds)[number];

/** `proxmox_hardware_mappings`. Server side: pve-manager `PVE/API2/Cluster/Mapping/*.pm`. */
export const hardwareMappingsData = defineDataSource({
  type: "proxmox_hardware_mappings",
  doc: "Devices and directories that have one name in the whole cluster, and where they are on each node. Those on which the caller has none of `Mapping.Use`, `Mapping.Audit` and `Mapping.Modify` are not shown.",
  attributes: {
    type: {
      type: oneOf(kinds),
      mode: "optional",
      doc: "Only mappings of this type: `pci`, `usb`, or `dir` for directories shared by virtiofs. Not given: all.",
    },
    node: { type: string(), mode: "optional", doc: "Only mappings, and only the parts of them, for this node." },
    names: found(list(string()), "Names of the mappings found, in alphabetical order."),
    mappings: found(
      list(
        nested({
          name: found(string(), "Name, as `proxmox_vm` takes it for `mapping`."),
          type: found(string(), "`dir`, `pci` or `usb`."),
          comment: found(nullable(string()), "A comment."),
          nodes: found(list(string()), "Nodes it can be used on, in alphabetical order."),
          entries: found(
            list(
              nested({
                node: found(string(), "Node."),
                path: found(
                  nullable(string()),
                  "Directory, PCI address (several joined by `;`), or USB port; null for a USB device at any port.",
                ),
                device_id: found(nullable(string()), "Vendor and device, such as `10de:1eb8`; null for a directory."),
                subsystem_id: found(nullable(string()), "Subsystem's vendor and device, for PCI devices."),
                iommu_group: found(nullable(int()), "IOMMU group, for PCI devices."),
                description: found(nullable(string()), "What is written beside the entry."),
              }),
            ),
            "Where it is, ordered by node; a node can have several devices that are as good as each other.",
          ),
        }),
      ),
      "The mappings, ordered by name, then by type.",
    ),
  },

  async read({ api, config, signal }) {
    const { type, node } = config;
    if (node !== null) await getNode(api, node);
    const found = await Promise.all((type === null ? kinds : [type]).map((kind) => mappingsOf(api, kind, signal)));
    const mappings = found
      .flat()
      .map(({ entries, ...mapping }) => {
        const here = entries.filter((entry) => node === null || entry.node === node);
        return { ...mapping, nodes: [...new Set(here.map((entry) => entry.node))], entries: here };
      })
      .filter(({ entries }) => node === null || entries.length > 0)
      .sort((a, b) => (a.name === b.name ? (a.type < b.type ? -1 : 1) : a.name < b.name ? -1 : 1));
    return { names: [...new Set(mappings.map(({ name }) => name))], mappings };
  },
});

async function mappingsOf(api: Session, kind: Kind, signal: AbortSignal) {
  const mappings = await api.mappings[kind].list({ signal });
  return mappings.map((mapping) => ({
    name: mapping.id ?? "",
    type: kind,
    comment: mapping.description ?? null,
    entries: entriesOf(mapping),
  }));
}

/** Property strings without a default key: every part has its name (pve-guest-common: src/PVE/Mapping/*.pm). */
function entriesOf({ map = [] }: Mapping) {
  const entries = map.map((line) => {
    const parts = new Map(line.split(",").map((part) => [part.replace(/=.*/s, ""), part.replace(/^[^=]*=/, "")]));
    const group = parts.get("iommugroup");
    return {
      node: parts.get("node") ?? "",
      path: parts.get("path") ?? null,
      device_id: parts.get("id") ?? null,
      subsystem_id: parts.get("subsystem-id") ?? null,
      iommu_group: group === undefined ? null : Number(group),
      description: parts.get("description") ?? null,
    };
  });
  return entries.sort((a, b) => (a.node === b.node ? 0 : a.node < b.node ? -1 : 1));
}
