import {
  defineDataSource,
  found,
  getNode,
  inOrder,
  int,
  list,
  nested,
  nullable,
  oneOf,
  type Session,
  string,
} from "#kit";
import type { Mapping } from "#pve";
import { parseEntry } from "./map-entry.ts";
import { type MappingType, mappingTypes } from "./mapping-kinds.ts";

const entry = {
  node: found(string(), "Node."),
  path: found(nullable(string()), "Directory, PCI address or USB port; null for a USB device at any port."),
  device_id: found(nullable(string()), "Vendor and device, such as `10de:1eb8`; null for a directory."),
  subsystem_id: found(nullable(string()), "Vendor and device of the subsystem, for PCI devices."),
  iommu_group: found(nullable(int()), "IOMMU group, for PCI devices."),
  description: found(nullable(string()), "What is said about the device."),
} as const;

/** `proxmox_hardware_mappings`. Server side: pve-manager `PVE/API2/Cluster/Mapping/*.pm`. */
export const hardwareMappingsData = defineDataSource({
  type: "proxmox_hardware_mappings",
  subcategory: "Cluster",
  doc: "Devices and directories that have one name in the whole cluster, and where they are on each node. Those on which the caller has none of `Mapping.Use`, `Mapping.Audit` and `Mapping.Modify` are not shown.",
  attributes: {
    type: {
      type: oneOf(mappingTypes),
      mode: "optional",
      doc: "Only mappings of this type: `pci`, `usb`, or `dir` for directories shared by virtiofs. Not given: all.",
    },
    node: { type: string(), mode: "optional", doc: "Only mappings, and only the parts of them, for this node." },
    names: found(list(string()), "Names of the mappings found, each once, in alphabetical order."),
    mappings: found(
      list(
        nested({
          name: found(string(), "Name: what `mapping` of a VM's `pci`, `usb` or `virtiofs` device takes."),
          type: found(string(), "`dir`, `pci` or `usb`."),
          comment: found(nullable(string()), "A comment."),
          nodes: found(list(string()), "Nodes it can be used on, in alphabetical order."),
          entries: found(
            list(nested(entry)),
            "Where it is, ordered by node; a node can have several PCI devices that are as good as each other.",
          ),
        }),
      ),
      "The mappings, ordered by name, then by type.",
    ),
  },

  async read({ api, config, signal }) {
    const { type, node } = config;
    if (node !== null) await getNode(api, node);
    const types = type === null ? mappingTypes : [type];
    const all = (await Promise.all(types.map((one) => mappingsOf(api, one, signal)))).flat();
    const here = all.map(({ entries, ...mapping }) => {
      const wanted = entries.filter((one) => node === null || one.node === node);
      return { ...mapping, nodes: [...new Set(wanted.map((one) => one.node))], entries: wanted };
    });
    const wanted = here.filter(({ entries }) => node === null || entries.length > 0);
    const mappings = inOrder(wanted, (mapping) => [mapping.name, mapping.type]);
    return { names: [...new Set(mappings.map(({ name }) => name))], mappings };
  },
});

async function mappingsOf(api: Session, type: MappingType, signal: AbortSignal) {
  const mappings = await api.mappings[type].list({ signal });
  return mappings.map((mapping) => ({
    name: mapping.id ?? "",
    type,
    comment: mapping.description ?? null,
    entries: inOrder(entriesOf(mapping), ({ node }) => [node]),
  }));
}

/** One for each device: PVE also takes several PCI addresses in one entry, which then share the rest. */
function entriesOf({ map = [] }: Mapping) {
  return map.map(parseEntry).flatMap(({ node = "", path, id, iommugroup, description, ...rest }) =>
    (path?.split(";") ?? [null]).map((address) => ({
      node,
      path: address,
      device_id: id ?? null,
      subsystem_id: rest["subsystem-id"] ?? null,
      iommu_group: iommugroup === undefined ? null : Number(iommugroup),
      description: description ?? null,
    })),
  );
}
