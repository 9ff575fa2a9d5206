import { endpoint } from "../core/kernel/endpoint.ts";
import { splitList } from "../core/schema/format.ts";
import { stringListFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";

// pve-manager `PVE/API2/Hardware*.pm`. Every node has the same few devices, enough to map and pass through.

/** A network card with two functions in one IOMMU group each, a graphics card, and what belongs to the board. */
export const pciDevices = [
  {
    id: "0000:00:00.0",
    class: "0x060000",
    vendor: "0x8086",
    device: "0x29c0",
    vendor_name: "Intel Corporation",
    device_name: "82G33/G31/P35/P31 Express DRAM Controller",
    subsystem_vendor: "0x1af4",
    subsystem_device: "0x1100",
    iommugroup: 0,
  },
  {
    id: "0000:01:00.0",
    class: "0x020000",
    vendor: "0x8086",
    device: "0x1521",
    vendor_name: "Intel Corporation",
    device_name: "I350 Gigabit Network Connection",
    subsystem_vendor: "0x8086",
    subsystem_device: "0x0001",
    iommugroup: 14,
  },
  {
    id: "0000:01:00.1",
    class: "0x020000",
    vendor: "0x8086",
    device: "0x1521",
    vendor_name: "Intel Corporation",
    device_name: "I350 Gigabit Network Connection",
    subsystem_vendor: "0x8086",
    subsystem_device: "0x0001",
    iommugroup: 15,
  },
  {
    id: "0000:02:00.0",
    class: "0x030000",
    vendor: "0x10de",
    device: "0x1db4",
    vendor_name: "NVIDIA Corporation",
    device_name: "GV100GL [Tesla V100 PCIe 16GB]",
    subsystem_vendor: "0x10de",
    subsystem_device: "0x1214",
    iommugroup: 16,
  },
] as const;

export const usbDevices = [
  {
    busnum: 1,
    devnum: 1,
    port: 0,
    level: 0,
    class: 9,
    vendid: "1d6b",
    prodid: "0002",
    speed: "480",
    manufacturer: "Linux xhci-hcd",
    product: "xHCI Host Controller",
  },
  {
    busnum: 1,
    devnum: 2,
    port: 1,
    level: 1,
    class: 0,
    vendid: "0781",
    prodid: "5583",
    speed: "480",
    manufacturer: "SanDisk",
    product: "Ultra Fit",
    serial: "4C530001",
    usbpath: "2",
  },
] as const;

const pciOrMapping = string({
  pattern: "(?:(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F])|([a-zA-Z][a-zA-Z0-9_-]+)",
});

export const hardwareEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware",
    permissions: { user: "all" },
    parameters: { node },
    handler: () => [{ type: "pci" }, { type: "usb" }],
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware/pci",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Audit", "Sys.Modify"], { any: true }] },
    parameters: {
      node,
      "pci-class-blacklist": string({ optional: true, format: stringListFormat, default: "05;06;0b" }),
      verbose: boolean({ optional: true, default: 1 }),
    },
    handler: ({ params }) => {
      const hidden = splitList(params["pci-class-blacklist"] ?? "05;06;0b");
      return pciDevices
        .filter((device) => !hidden.some((prefix) => device.class.startsWith(`0x${prefix}`)))
        .map((device) => (params.verbose === 0 ? { id: device.id } : device));
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware/pci/{pci-id-or-mapping}",
    permissions: { user: "all" },
    parameters: { node, "pci-id-or-mapping": pciOrMapping },
    handler: () => [{ method: "mdev" }],
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware/pci/{pci-id-or-mapping}/mdev",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Audit", "Sys.Modify"], { any: true }] },
    parameters: { node, "pci-id-or-mapping": pciOrMapping },
    // No device here can be divided.
    handler: () => [],
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware/usb",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Modify"]] },
    parameters: { node },
    handler: () => usbDevices,
  }),
];
