import { bool, defineCollection, int, shown, string } from "#kit";
import { node } from "./node-attribute.ts";

const { replace: _, ...onNode } = node;

/** `proxmox_node_pci_devices`. Server side: pve-manager `PVE/API2/Hardware/PCI.pm`. */
export const nodePciDevicesData = defineCollection({
  type: "proxmox_node_pci_devices",
  subcategory: "Nodes",
  doc: "PCI devices of a node, for passthrough and mappings; memory, bridges and processors are left out. Requires `Sys.Audit` or `Sys.Modify` on `/`.",
  path: "/nodes/{node}/hardware/pci",
  arguments: { node: onNode },
  items: "devices",
  key: "id",
  filters: {
    vendor: "Only devices of this vendor ID, such as `0x10de`",
    device: "Only devices of this device ID, such as `0x1db4`",
    class: "Only devices of this class, such as `0x03*` for graphics cards",
  },
  attributes: {
    id: shown(string(), "id", "Address, such as `0000:01:00.0`."),
    class: shown(string(), "class", "Class, such as `0x030000`."),
    vendor: shown(string(), "vendor", "Vendor ID."),
    vendor_name: shown(string(), "vendor_name", "Name of the vendor."),
    device: shown(string(), "device", "Device ID."),
    device_name: shown(string(), "device_name", "Name of the device."),
    subsystem_vendor: shown(string(), "subsystem_vendor", "Vendor ID of the subsystem."),
    subsystem_device: shown(string(), "subsystem_device", "Device ID of the subsystem."),
    iommu_group: shown(int(), "iommugroup", "IOMMU group; -1 or null: none."),
    mdev: { ...shown(bool(), "mdev", "Whether it can be divided into mediated devices."), absent: false },
  },
});

/** `proxmox_node_usb_devices`. Server side: pve-manager `PVE/API2/Hardware/USB.pm`. */
export const nodeUsbDevicesData = defineCollection({
  type: "proxmox_node_usb_devices",
  subcategory: "Nodes",
  doc: "USB devices of a node, for passthrough and mappings. Requires `Sys.Modify` on `/`.",
  path: "/nodes/{node}/hardware/usb",
  arguments: { node: onNode },
  items: "devices",
  key: "id",
  filters: { id: "Only devices of this ID, such as `0951:*`", product: "Only devices of this product name" },
  attributes: {
    id: shown(string(), "id", "Vendor and product ID, such as `0951:1666`."),
    product: shown(string(), "product", "Name of the product."),
    manufacturer: shown(string(), "manufacturer", "Name of the manufacturer."),
    serial: shown(string(), "serial", "Serial number."),
    bus: shown(int(), "busnum", "Number of the bus."),
    port: shown(string(), "usbpath", "Port, such as `2` or `1.4`."),
    speed: shown(string(), "speed", "Speed in Mbit/s."),
  },
  rows: ({ answer }) => answer.map((one) => ({ ...one, id: `${one["vendid"]}:${one["prodid"]}` })),
});

/** `proxmox_node_updates`. Server side: pve-manager `PVE/API2/APT.pm`, `list_updates`. */
export const nodeUpdatesData = defineCollection({
  type: "proxmox_node_updates",
  subcategory: "Nodes",
  doc: "Packages of a node that can be upgraded, as of the last refresh of its package lists. Requires `Sys.Modify` on the node.",
  path: "/nodes/{node}/apt/update",
  arguments: { node: onNode },
  items: "updates",
  key: "package",
  filters: { package: "Only packages of this name", origin: "Only packages of this origin, such as `Proxmox`" },
  attributes: {
    package: shown(string(), "Package", "Name of the package."),
    title: shown(string(), "Title", "What it is, in a few words."),
    version: shown(string(), "Version", "Version that can be installed."),
    installed: shown(string(), "OldVersion", "Version that is installed; null: a new dependency."),
    origin: shown(string(), "Origin", "Who has published it."),
    priority: shown(string(), "Priority", "Priority, such as `important`."),
  },
});
