/**
 * Options of a VM that come in numbers, and the highest number each may have (qemu-server: src/PVE/QemuServer.pm,
 * src/PVE/QemuServer/Drive.pm). The only place that says so. It imports nothing, so that a schema can be built from it
 * without loading the client.
 */
export const slotLimits = {
  audio: 0,
  efidisk: 0,
  hostpci: 15,
  ide: 3,
  ipconfig: 31,
  net: 31,
  numa: 7,
  parallel: 2,
  rng: 0,
  sata: 5,
  scsi: 30,
  serial: 3,
  smbios: 1,
  tpmstate: 0,
  unused: 255,
  usb: 13,
  virtio: 15,
  virtiofs: 9,
} as const;

/** The same for a container (pve-container: src/PVE/LXC/Config.pm). */
export const containerSlotLimits = {
  dev: 255,
  mp: 255,
  net: 31,
  unused: 255,
} as const;
