import { beyondLatin, bool, int, list, map, matches, nested, string } from "#kit";
import { directoryLines, pciLines, usbLines } from "./map-lines.ts";

export const mappingTypes = ["dir", "pci", "usb"] as const;

export type MappingType = (typeof mappingTypes)[number];

/** PVE wants the whole map again with every change. */
const mapOption = { wire: "map", repeated: true, refers: "node" } as const;

const deviceId = matches(/^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$/, 'a vendor and a device such as "10de:1db4"');
const pciAddress = matches(
  /^[a-f0-9]{4,}:[a-f0-9]{2}:[a-f0-9]{2}(\.[a-f0-9])?$/,
  'a PCI address such as "0000:01:00.0"',
);
const usbPort = matches(/^\d+-\d+(\.\d+)*$/, 'a bus and a port such as "1-2" or "1-2.3"');
const directory = matches(/^\/[^;,=()\n\r]+$/, "an absolute path without any of `;,=()`");
const oneLine = matches(
  /^(?=.{1,4096}$)[^,\s]([^,\n\r]*[^,\s])?$/,
  "one line of at most 4096 characters without commas, and not blank",
);

const description = {
  type: string({ check: (text) => oneLine(text) ?? beyondLatin(text) }),
  mode: "optional",
  doc: "What to say about the device.",
} as const;

/** One attribute for each kind of mapping; exactly one of them is given. */
export const kindAttributes = {
  pci: {
    type: nested({
      nodes: {
        type: map(
          nested({
            devices: {
              type: list(
                nested({
                  path: {
                    type: string({ check: pciAddress }),
                    mode: "required",
                    doc: "PCI address such as `0000:01:00.0`. Without the function, `0000:01:00`, the whole device with all of them.",
                  },
                  device_id: {
                    type: string({ check: deviceId }),
                    mode: "required",
                    doc: "Vendor and device, such as `10de:1db4`: a VM does not start with another device at that address.",
                  },
                  subsystem_id: {
                    type: string({ check: deviceId }),
                    mode: "optional",
                    doc: "Vendor and device of the subsystem. A VM does not start while the device has one and it is not given here.",
                  },
                  iommu_group: {
                    type: int({ min: 0 }),
                    mode: "optional",
                    doc: "IOMMU group. A VM does not start while the device is in one and it is not given here.",
                  },
                  description,
                }),
                { min: 1 },
              ),
              mode: "required",
              doc: "Devices that are as good as each other, in the order in which they are tried; a VM gets the first that is free.",
            },
          }),
          { min: 1 },
        ),
        mode: "required",
        ...mapOption,
        as: pciLines,
        doc: "Where the device is, by name of the node.",
      },
      mdev: {
        type: bool(),
        mode: "optional",
        wire: "mdev",
        doc: "Whether the devices are split up into mediated ones. Left out: they are not.",
      },
      live_migration_capable: {
        type: bool(),
        mode: "optional",
        wire: "live-migration-capable",
        doc: "Whether a running VM may be migrated with the device, which hardware and driver must be able to do. Left out: it may not.",
      },
    }),
    mode: "optional",
    doc: "A PCI device. Exactly one of `pci`, `usb` and `dir` must be given.",
  },
  usb: {
    type: nested({
      nodes: {
        type: map(
          nested({
            device_id: {
              type: string({ check: deviceId }),
              mode: "required",
              doc: "Vendor and device, such as `0951:1666`.",
            },
            path: {
              type: string({ check: usbPort }),
              mode: "optional",
              doc: "Bus and port such as `1-2`, if it must be the device at that place. Left out: wherever it is plugged in.",
            },
            description,
          }),
          { min: 1 },
        ),
        mode: "required",
        ...mapOption,
        as: usbLines,
        doc: "Where the device is, by name of the node.",
      },
    }),
    mode: "optional",
    doc: "A USB device.",
  },
  dir: {
    type: nested({
      nodes: {
        type: map(
          nested({
            path: {
              type: string({ check: (path) => directory(path) ?? beyondLatin(path) }),
              mode: "required",
              doc: "Absolute path; it has to exist there.",
            },
          }),
          { min: 1 },
        ),
        mode: "required",
        ...mapOption,
        as: directoryLines,
        doc: "Where the directory is, by name of the node.",
      },
    }),
    mode: "optional",
    doc: "A directory that is shared with VMs by virtiofs.",
  },
} as const;
