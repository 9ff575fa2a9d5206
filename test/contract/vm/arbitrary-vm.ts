import fc from "fast-check";
import {
  addresses,
  addresses6,
  flag,
  guestSettings,
  ha,
  int,
  label,
  type Members,
  macs,
  octet,
  one,
  some,
  word,
} from "../transitions/arbitraries.ts";
import { type Input, sshKey } from "./suite.ts";

const size = (least: number) =>
  fc.oneof(
    int(least, 64).map((n) => `${n}G`),
    int(least * 1024, 65_536).map((n) => `${n}M`),
  );

const limits = fc.oneof(
  some({ mbps: int(1, 900), iops: int(1, 9_000) }),
  some({ mbps_read: fc.constantFrom(0.5, 10, 12.25), mbps_write: int(1, 900), iops_read: int(1, 9_000) }),
);

const anyDisk = {
  cache: one("none", "writethrough", "writeback", "unsafe", "directsync"),
  aio: one("native", "threads", "io_uring").filter((aio) => aio !== "native"),
  discard: flag,
  backup: flag,
  replicate: flag,
  detect_zeroes: flag,
  serial: label,
  read_error: one("ignore", "report", "stop"),
  write_error: one("enospc", "ignore", "report", "stop"),
  limits,
};
const busSettings: Record<string, Members> = {
  scsi: { ...anyDisk, ssd: flag, iothread: flag, read_only: flag, product: word, vendor: word },
  virtio: { ...anyDisk, iothread: flag, read_only: flag },
  sata: { ...anyDisk, ssd: flag },
};

const newDisk = (bus: string) =>
  fc
    .tuple(one("local-lvm", "local-zfs", "nas", "ceph"), int(1, 8), some(busSettings[bus] ?? {}), one("raw", "qcow2"))
    .map(([storage, gib, settings, format]) => ({
      storage,
      size: `${gib}G`,
      ...(storage === "nas" ? { format } : {}),
      ...settings,
    }));

const disks = some({
  scsi0: some({ size: int(10, 40).map((n) => `${n}G`), ...busSettings["scsi"] }),
  scsi3: newDisk("scsi"),
  virtio1: newDisk("virtio"),
  sata2: newDisk("sata"),
});

const card = some({
  model: one("virtio", "e1000", "vmxnet3"),
  bridge: one("vmbr0", "vmbr1"),
  vlan: int(0, 4094),
  mac: macs("BC:24:22"),
  firewall: flag,
  link_down: flag,
  queues: int(1, 8),
  rate_limit: one(0, 1, 12.5),
  ipv4: addresses("dhcp"),
  ipv6: addresses6("auto", "dhcp"),
});

const processor = fc.record({
  type: one("host", "kvm64", "x86-64-v2-AES"),
  flags: fc.uniqueArray(one("+aes", "-pcid", "+md-clear"), { maxLength: 3 }),
});
const cpu = fc
  .tuple(
    fc.option(processor, { nil: {} }),
    some({ cores: int(1, 8), sockets: int(1, 2), limit: one(0, 1.5, 4), units: int(1, 10_000), numa: flag }),
  )
  .map(([type, rest]) => ({ ...type, ...rest }));

const memory = fc
  .tuple(
    size(1),
    fc.option(one("0", "256M", "512M", "1G"), { nil: undefined }),
    some({ shares: int(0, 5_000), ksm: flag }),
  )
  .map(([total, balloon, more]) => ({ size: total, ...(balloon === undefined ? {} : { balloon }), ...more }));

const cloudInit = some({
  user: word,
  ssh_keys: fc.array(fc.constant(sshKey), { maxLength: 2 }),
  dns_servers: fc.array(
    octet.map((n) => `192.0.2.${n}`),
    { maxLength: 3 },
  ),
  search_domain: fc.constant("example.com"),
  upgrade: flag,
  type: one("nocloud", "configdrive2"),
});

const sometimes = {
  ...guestSettings,
  tablet: flag,
  keyboard: one("de", "en-us"),
  acpi: flag,
  local_time: flag,
  allow_reboot: flag,
  time_drift_fix: flag,
  hotplug: fc.uniqueArray(one("network", "disk", "usb"), { maxLength: 3 }),
  agent: fc.record({ enabled: flag, type: one("virtio", "isa"), trim: flag }),
  machine: some({ type: one("pc", "q35"), enable_s3: flag }),
  vga: some({ type: one("std", "virtio", "serial0", "qxl"), memory: int(16, 128) }),
  audio: fc.record({ device: one("intel-hda", "ich9-intel-hda", "AC97"), driver: one("spice", "none") }),
  rng: fc.record({ source: one("/dev/urandom", "/dev/random"), max_bytes: int(0, 2_048), period: int(0, 5_000) }),
  watchdog: fc.record({ model: one("i6300esb", "ib700"), action: one("reset", "poweroff", "none") }),
  smbios: some({ manufacturer: label, product: label, serial: word, family: label }),
  scsi_hardware: one("virtio-scsi-pci", "virtio-scsi-single", "lsi"),
  os_type: one("l26", "other"),
  migration: some({ max_downtime: one(0.1, 1), max_speed: int(0, 1_000) }),
  cdroms: some({ ide0: fc.constant({ file: "none" }), sata5: fc.constant({ file: "none" }) }),
  usb: some({ usb0: fc.constant({ device: "spice" }), usb1: fc.constant({ device: "spice", usb3: true }) }),
  serial: some({ serial0: fc.constant("socket"), serial2: fc.constant("socket") }),
  cpu,
  memory,
  disks,
  networks: some({ net0: card, net1: card.map((nic) => ({ bridge: "vmbr1", ...nic })) }),
  cloud_init: cloudInit,
  ha,
};

/** Text excludes whatever PVE would generate. */
const texts = fc.record(
  {
    user_data: fc.constantFrom("#cloud-config\n", "#!/bin/sh\n"),
    network_data: fc.constant("version: 2\n"),
    data_storage: fc.constantFrom("local", "nas"),
  },
  { requiredKeys: ["user_data"] },
);

/** A configuration of a VM that any cluster of the default seed can carry out. */
export const vmConfigs = fc.oneof(
  { weight: 3, arbitrary: some(sometimes) },
  { weight: 1, arbitrary: some({ ...sometimes, networks: fc.constant({ net0: { vlan: 7 } }), cloud_init: texts }) },
) as fc.Arbitrary<Record<string, Input>>;

/** The same configuration with its keys in another order, at every depth. */
export function shuffled(value: unknown): Input {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value as Input;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, shuffled(member)] as const)
      .reverse(),
  );
}
