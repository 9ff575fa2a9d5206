import { defineCrud, latinLine, matches, oneOf, string } from "#kit";
import { kindAttributes, mappingTypes } from "./mapping-kinds.ts";
import { mappingsMovedFrom } from "./moved-from.ts";

/** `proxmox_hardware_mapping`. Server side: pve-manager `PVE/API2/Cluster/Mapping/*.pm`. */
export const hardwareMapping = defineCrud({
  type: "proxmox_hardware_mapping",
  subcategory: "Cluster",
  doc: "A device or a directory that has one name in the whole cluster and a place on each node, so that VMs can use it on every node, and so that tokens may pass it through, which raw devices do not allow.",
  noun: "hardware mapping",
  path: "/cluster/mapping/{type}/{id}",
  file: "the mappings",
  identity: ["type", "name"],
  isListWhole: true,
  variants: { names: mappingTypes, attribute: "type" },
  alwaysSent: ["map"],
  plannedAs: "mapping",
  movedFrom: mappingsMovedFrom,
  attributes: {
    name: {
      type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
      mode: "required",
      wire: "id",
      replace: true,
      doc: "Name of the mapping in the whole cluster: what `mapping` of a VM's `pci`, `usb` or `virtiofs` device takes.",
    },
    type: {
      type: oneOf(mappingTypes),
      mode: "computed",
      keep: true,
      replace: true,
      instead: "Set `pci`, `usb` or `dir`.",
      doc: "Which of the three it is: `pci`, `usb` or `dir`.",
    },
    comment: {
      type: latinLine(4096),
      mode: "optional",
      wire: "description",
      doc: "A comment: one line of letters up to `ÿ`. Proxmox VE breaks others here.",
    },
    ...kindAttributes,
  },

  parseId(id) {
    const [, type, name] = /^(dir|pci|usb)\/([^/]+)$/.exec(id) ?? [];
    return name === undefined ? null : { type: type as (typeof mappingTypes)[number], name };
  },
});
