// Devices of a host. All nodes have the same few, enough for mappings and passthrough.

const networkCard = {
  class: "0x020000",
  vendor: "0x8086",
  device: "0x1521",
  vendor_name: "Intel Corporation",
  device_name: "I350 Gigabit Network Connection",
  subsystem_vendor: "0x8086",
  subsystem_device: "0x0001",
} as const;

/** A network card with two functions in one IOMMU group each, a graphics card, and a device of the board. */
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
  { ...networkCard, id: "0000:01:00.0", iommugroup: 14 },
  { ...networkCard, id: "0000:01:00.1", iommugroup: 15 },
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
