import type { Tree } from "../transitions/lines.ts";
import { type Bench, sshKey } from "./suite.ts";

/** What the lines below refer to, and no seed has. */
export function furnish({ simulator }: Bench): void {
  const { world } = simulator.sim;
  for (const name of ["user", "meta", "network", "vendor"]) {
    const file = { node: "pve1", size: 2 ** 20, ctime: 1, content: "snippets", format: "snippet" };
    world.volumes.push({ ...file, volid: `local:snippets/${name}.yaml` } as never);
  }
  world.mappings.dir["share"] = { type: "dir", options: { map: ["node=pve1,path=/srv"] } } as never;
  world.mappings.pci["gpu"] = { type: "pci", options: { map: ["node=pve1,path=0000:01:00.0,id=10de:2204"] } } as never;
  world.mappings.usb["dongle"] = { type: "usb", options: { map: ["node=pve1,id=046d:c52b"] } } as never;
  world.access.pools["team"] = { comment: "", vms: [], storage: [] } as never;
}

const snippets = Object.fromEntries(
  ["user", "meta", "network", "vendor"].map((name) => [name, `local:snippets/${name}.yaml`]),
);

/** Every line that a VM can have, with another value than the template's. Those that exclude each other are apart. */
export const everyLine: readonly Tree[] = [
  {
    acpi: false,
    allow_reboot: false,
    args: "-device virtio-rng-pci",
    bios: "ovmf",
    boot_order: ["net0"],
    description: "text",
    freeze: true,
    hook_script: "local:snippets/user.yaml",
    hotplug: ["disk"],
    keyboard: "de",
    kvm: false,
    local_time: true,
    on_boot: true,
    os_type: "other",
    pool: "team",
    protection: true,
    scsi_hardware: "lsi",
    start_date: "2026-01-01",
    tablet: false,
    tags: ["a"],
    time_drift_fix: true,
    vm_generation_id: "33333333-2222-4333-8444-555555555555",
    vm_state_storage: "nas",
    agent: { enabled: false, freeze: false, trim: true, type: "isa" },
    amd_sev: { type: "es", allow_smt: true, kernel_hashes: true, no_debug: true, no_key_sharing: true },
    audio: { device: "intel-hda", driver: "none" },
    cdroms: { sata4: { file: "none" } },
    cloud_init: {
      dns_servers: ["192.0.2.1"],
      search_domain: "example.com",
      slot: "sata1",
      storage: "nas",
      ssh_keys: [sshKey],
      type: "nocloud",
      upgrade: false,
      user: "ops",
      snippets,
    },
    cpu: {
      affinity: "0-1",
      architecture: "x86_64",
      cores: 4,
      flags: ["+aes"],
      guest_phys_bits: 40,
      hidden: true,
      hv_vendor_id: "abc",
      level: 13,
      limit: 1.5,
      numa: true,
      phys_bits: "host",
      sockets: 2,
      type: "host",
      units: 200,
      vcpus: 2,
    },
    disks: {
      scsi0: {
        aio: "threads",
        backup: false,
        cache: "writeback",
        detect_zeroes: false,
        discard: false,
        format: "qcow2",
        iothread: false,
        product: "p",
        queues: 4,
        read_error: "stop",
        read_only: true,
        replicate: false,
        scsi_block: true,
        serial: "s 1",
        shared: true,
        snapshot: true,
        ssd: false,
        storage: "nas",
        vendor: "v",
        write_error: "stop",
        wwn: "0x5000c500a1b2c3d4",
        limits: { mbps: 10, iops: 100, mbps_burst: 20, mbps_burst_seconds: 2, iops_burst: 200, iops_burst_seconds: 3 },
      },
      ide1: { storage: "local-lvm", size: "1G", model: "m" },
    },
    efi_disk: { storage: "local-lvm", type: "4m", pre_enrolled_keys: true, ms_cert: "2023k" },
    ha: { state: "stopped", comment: "c", max_relocate: 3, max_restart: 3, failback: false },
    machine: { type: "q35", viommu: "virtio", aw_bits: 40, enable_s3: false, enable_s4: false },
    memory: { size: "3G", balloon: "1G", hugepages: "any", keep_hugepages: true, ksm: false, shares: 10 },
    migration: { max_downtime: 1, max_speed: 10 },
    networks: {
      net0: {
        bridge: "vmbr1",
        firewall: true,
        host_tunnel: true,
        link_down: true,
        mac: "BC:24:22:00:00:01",
        model: "e1000",
        mtu: 1400,
        queues: 2,
        rate_limit: 3,
        trunks: ["10"],
        vlan: 7,
        ipv4: { address: "10.0.0.5/24", gateway: "10.0.0.1" },
        ipv6: { address: "fd00::5/64", gateway: "fd00::1" },
      },
    },
    numa_nodes: { numa0: { cpus: ["0-1"], memory: "1G", host_nodes: ["0"], policy: "bind" } },
    parallel: { parallel0: "/dev/parport0" },
    pci: {
      hostpci0: {
        address: "0000:01:00.0",
        device_id: "0x10de",
        driver: "keep",
        legacy_igd: true,
        mdev: "nvidia-35",
        pcie: true,
        primary_gpu: true,
        rom_file: "a.rom",
        rombar: false,
        sub_device_id: "0x10de",
        sub_vendor_id: "0x10de",
        vendor_id: "0x10de",
      },
    },
    rng: { source: "/dev/random", max_bytes: 10, period: 20 },
    serial: { serial0: "/dev/ttyS0", serial1: "socket" },
    shared_memory: { name: "a", size: 32 },
    smbios: {
      family: "f",
      manufacturer: "m",
      product: "p",
      serial: "s",
      sku: "k",
      uuid: "11111111-2222-4333-8444-555555555555",
      version: "1",
    },
    spice: { folder_sharing: true, video_streaming: "all" },
    startup: { order: 1, up_delay: 2, down_delay: 3 },
    tpm_state: { storage: "local-lvm", version: "v2.0" },
    usb: { usb0: { device: "spice", usb3: true } },
    vga: { type: "std", memory: 32, clipboard: "vnc" },
    virtiofs: {
      virtiofs0: { mapping: "share", cache: "always", direct_io: true, expose_acl: true, expose_xattr: true },
    },
    watchdog: { model: "ib700", action: "reset" },
  },
  {
    cloud_init: {
      user_data: "#cloud-config\n",
      meta_data: "instance-id: a\n",
      network_data: "version: 2\n",
      vendor_data: "#cloud-config\n",
      data_storage: "local",
    },
    disks: {
      scsi0: {
        limits: {
          mbps_read: 1,
          mbps_write: 2,
          mbps_read_burst: 3,
          mbps_write_burst: 4,
          mbps_read_burst_seconds: 2,
          mbps_write_burst_seconds: 3,
          iops_read: 1,
          iops_write: 2,
          iops_read_burst: 3,
          iops_write_burst: 4,
          iops_read_burst_seconds: 2,
          iops_write_burst_seconds: 3,
        },
      },
    },
    intel_tdx: { type: "tdx", attestation: true, vsock_cid: 2, vsock_port: 4050 },
    pci: { hostpci0: { mapping: "gpu", pcie: false } },
    usb: { usb0: { mapping: "dongle" } },
  },
];

/** Lines without which their object cannot be, or whose effect is final: they stay, and the plan says so. */
export const staying = [
  /^(amd_sev|intel_tdx)\.type$/,
  /^intel_tdx\.attestation$/,
  /^audio\.device$/,
  /^cdroms\.\w+\.file$/,
  /^disks\.ide1\.(storage|size)$/,
  /^(efi_disk|tpm_state)\./,
  /^ha\.state$/,
  /^numa_nodes\.numa0\.cpus$/,
  /^rng\.source$/,
  /^shared_memory\.size$/,
  /^virtiofs\.virtiofs0\.mapping$/,
];

/** Lines that change nothing at the server, are secrets, or say which VM it is and where. Slots are `*`. */
export const withoutUndo = [
  /^(absent_devices|allow_duplicate_name|(before_change|clone|destroy|import|restore)\..*|name|node|on_existing|placement|power)$/,
  /^(replace_on_source_change|restart_policy|shutdown\..*|template|timeouts\..*|vmid|agent\.wait)$/,
  /^cloud_init\.(data_storage|data_version|password|password_version|\w+_wo)$/,
  /^disks\.\*\.(import_from|on_remove|volume)$/,
  /^(efi_disk|tpm_state)\.(format|volume)$/,
];
