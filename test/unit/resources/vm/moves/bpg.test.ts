import { describe, expect, test } from "vitest";
import { moveState } from "./move-state.ts";

const address = "registry.terraform.io/bpg/proxmox";
const move = (state: object) => moveState(address, "proxmox_virtual_environment_vm", { vm_id: 401, ...state });

describe("a state of proxmox_virtual_environment_vm", () => {
  test.each<{ what: string; given: object; expected: object }>([
    { what: "the VMID", given: {}, expected: {} },
    {
      what: "place and name",
      given: { node_name: "pve2", name: "web", pool_id: "prod", tags: ["b", "a"], description: null, template: false },
      expected: { node: "pve2", name: "web", pool: "prod", tags: ["a", "b"], template: false },
    },
    { what: "nothing from empty texts", given: { pool_id: "", name: "", machine: null, tags: null }, expected: {} },
    {
      what: "the clone's source",
      given: { clone: [{ vm_id: 9000, full: true, datastore_id: "", node_name: "pve1", retries: 1 }] },
      expected: { clone: { template: "9000", full: true } },
    },
    {
      what: "processors, without zeroes that stand for nothing",
      given: {
        cpu: [{ cores: 4, sockets: 2, type: "host", flags: ["+aes"], hotplugged: 3, limit: 0, units: 0, numa: true }],
      },
      expected: { cpu: { cores: 4, sockets: 2, type: "host", flags: ["+aes"], vcpus: 3, numa: true } },
    },
    {
      what: "memory in MiB",
      given: { memory: [{ dedicated: 8192, floating: 0, shared: 16, hugepages: "", keep_hugepages: false }] },
      expected: { memory: { size: "8G", balloon: "0", keep_hugepages: false }, shared_memory: { size: 16 } },
    },
    {
      what: "disks by slot, with their volumes",
      given: {
        disk: [
          { interface: "scsi0", datastore_id: "nvme", path_in_datastore: "vm-401-disk-0", size: 100, discard: "on" },
          {
            interface: "virtio1",
            datastore_id: "nas",
            path_in_datastore: "401/vm-401-disk-1.qcow2",
            file_format: "qcow2",
            size: 8,
            discard: "ignore",
            ssd: false,
            import_from: "local:import/a.qcow2",
            speed: [{ read: 20, read_burstable: 0, iops_write: 100, iops_write_burstable: 200 }],
          },
        ],
      },
      expected: {
        disks: {
          scsi0: { storage: "nvme", volume: "nvme:vm-401-disk-0", size: "100G", discard: true },
          virtio1: {
            storage: "nas",
            volume: "nas:401/vm-401-disk-1.qcow2",
            format: "qcow2",
            size: "8G",
            discard: false,
            ssd: false,
            import_from: "local:import/a.qcow2",
            limits: { mbps_read: 20, iops_write: 100, iops_write_burst: 200 },
          },
        },
      },
    },
    {
      what: "drives of other kinds",
      given: {
        cdrom: [{ interface: "ide3", file_id: "local:iso/a.iso", enabled: false }],
        efi_disk: [{ datastore_id: "nvme", file_format: "raw", type: "4m", pre_enrolled_keys: true }],
        tpm_state: [{ datastore_id: "nvme", version: "v2.0" }],
      },
      expected: {
        cdroms: { ide3: { file: "local:iso/a.iso" } },
        efi_disk: { storage: "nvme", format: "raw", type: "4m", pre_enrolled_keys: true },
        tpm_state: { storage: "nvme", version: "v2.0" },
      },
    },
    {
      what: "network cards with the addresses that have the same place",
      given: {
        network_device: [
          { bridge: "vmbr0", model: "virtio", mac_address: "BC:24:11:00:00:01", vlan_id: 20, firewall: true, mtu: 0 },
          { bridge: "vmbr1", model: "e1000", mac_address: "BC:24:11:00:00:02", vlan_id: 0, trunks: "10;20-30" },
        ],
        initialization: [
          {
            ip_config: [
              { ipv4: [{ address: "10.0.0.5/24", gateway: "10.0.0.1" }], ipv6: [] },
              { ipv4: [], ipv6: [{ address: "auto", gateway: "" }] },
            ],
          },
        ],
      },
      expected: {
        networks: {
          net0: {
            bridge: "vmbr0",
            model: "virtio",
            mac: "BC:24:11:00:00:01",
            vlan: 20,
            firewall: true,
            ipv4: { address: "10.0.0.5/24", gateway: "10.0.0.1" },
          },
          net1: {
            bridge: "vmbr1",
            model: "e1000",
            mac: "BC:24:11:00:00:02",
            trunks: ["10", "20-30"],
            ipv6: { address: "auto" },
          },
        },
      },
    },
    {
      what: "an address of a card that came with the template",
      given: {
        network_device: [],
        mac_addresses: ["BC:24:11:00:00:01", "BC:24:11:00:00:02"],
        initialization: [{ ip_config: [{ ipv4: [{ address: "dhcp", gateway: "" }] }] }],
      },
      expected: { networks: { net0: { mac: "BC:24:11:00:00:01", ipv4: { address: "dhcp" } } } },
    },
    {
      what: "cloud-init, without the masked password",
      given: {
        initialization: [
          {
            datastore_id: "nvme",
            interface: "ide2",
            dns: [{ domain: "example.com", servers: ["192.0.2.53"] }],
            user_account: [{ username: "ops", keys: ["ssh-ed25519 AAAA ops"], password: "**********" }],
            upgrade: true,
            type: "nocloud",
            user_data_file_id: "local:snippets/u.yml",
          },
        ],
      },
      expected: {
        cloud_init: {
          storage: "nvme",
          slot: "ide2",
          dns_servers: ["192.0.2.53"],
          search_domain: "example.com",
          user: "ops",
          ssh_keys: ["ssh-ed25519 AAAA ops"],
          upgrade: true,
          type: "nocloud",
          snippets: { user: "local:snippets/u.yml" },
        },
      },
    },
    {
      what: "options",
      given: {
        acpi: true,
        agent: [{ enabled: true, trim: false, type: "virtio", timeout: "15m", wait_for_ip: [] }],
        bios: "ovmf",
        boot_order: ["scsi0", "net0"],
        hotplug: "network,disk",
        keyboard_layout: "de",
        kvm_arguments: "-cpu host",
        machine: "q35,viommu=virtio",
        on_boot: true,
        operating_system: [{ type: "l26" }],
        protection: false,
        scsi_hardware: "virtio-scsi-single",
        startup: [{ order: 3, up_delay: -1, down_delay: 60 }],
        tablet_device: false,
        vga: [{ type: "serial0", memory: 16, clipboard: "" }],
      },
      expected: {
        acpi: true,
        agent: { enabled: true, trim: false, type: "virtio" },
        bios: "ovmf",
        boot_order: ["scsi0", "net0"],
        hotplug: ["disk", "network"],
        keyboard: "de",
        args: "-cpu host",
        machine: { type: "q35", viommu: "virtio" },
        on_boot: true,
        os_type: "l26",
        protection: false,
        scsi_hardware: "virtio-scsi-single",
        startup: { order: 3, down_delay: 60 },
        tablet: false,
        vga: { type: "serial0", memory: 16 },
      },
    },
    {
      what: "devices by slot",
      given: {
        hostpci: [{ device: "hostpci1", mapping: "gpu", pcie: true, rombar: true, xvga: false }],
        usb: [{ host: "046d:c52b", usb3: true }, { mapping: "stick" }],
        serial_device: [{ device: "socket" }, { device: "/dev/ttyS0" }],
        virtiofs: [{ mapping: "data", cache: "auto", direct_io: false, expose_acl: false, expose_xattr: true }],
        numa: [{ device: "numa0", cpus: "0-1", memory: 2048, hostnodes: "0", policy: "bind" }],
        audio_device: [{ device: "intel-hda", driver: "spice", enabled: true }],
        watchdog: [{ model: "i6300esb", action: "none", enabled: false }],
        rng: [{ source: "/dev/urandom", max_bytes: 1024, period: null }],
      },
      expected: {
        pci: { hostpci1: { mapping: "gpu", pcie: true, rombar: true, primary_gpu: false } },
        usb: { usb0: { device: "046d:c52b", usb3: true }, usb1: { mapping: "stick" } },
        serial: { serial0: "socket", serial1: "/dev/ttyS0" },
        virtiofs: {
          virtiofs0: { mapping: "data", cache: "auto", direct_io: false, expose_acl: false, expose_xattr: true },
        },
        numa_nodes: { numa0: { cpus: ["0-1"], memory: "2G", host_nodes: ["0"], policy: "bind" } },
        audio: { device: "intel-hda", driver: "spice" },
        rng: { source: "/dev/urandom", max_bytes: 1024 },
      },
    },
    {
      what: "no settings of the other provider itself",
      given: { started: true, timeout_clone: 1800, stop_on_destroy: false, purge_on_destroy: true, migrate: false },
      expected: {},
    },
  ])("has $what", async ({ given, expected }) => {
    const { state, diagnostics } = await move(given);
    expect(diagnostics).toEqual([]);
    expect(state).toEqual({ vmid: 401, ...expected });
  });

  test("takes the VMID from the id when the server chose it", async () => {
    const { state } = await move({ vm_id: null, id: "402" });
    expect(state).toEqual({ vmid: 402 });
  });

  test("keeps the requested node and the identity of the VM", async () => {
    const uuid = "2DF621AC-20D7-4C26-8C89-9F51D24F105C";
    const { privateState } = await move({ node_name: "pve2", smbios: [{ uuid, serial: "" }] });
    expect(privateState).toMatchObject({
      node: "pve2",
      fingerprint: { uuid: uuid.toLowerCase(), generation: null },
    });
  });

  test("is refused without the identity of the VM", async () => {
    const { diagnostics } = await move({ vm_id: null, id: "" });
    expect(diagnostics).toMatchObject([{ severity: "error", summary: "Unable to move the resource" }]);
  });
});

test.each([
  "proxmox_cloned_vm",
  "proxmox_virtual_environment_cloned_vm",
  "proxmox_vm",
  "proxmox_virtual_environment_vm2",
])("a state of %s is converted slot by slot", async (type) => {
  const { state, diagnostics } = await moveState(address, type, {
    id: 403,
    node_name: "pve1",
    name: "cloned",
    tags: [],
    clone: { source_vm_id: 9000, full: false, target_datastore: "nvme", snapshot_name: null, retries: 3 },
    cpu: { cores: 2, type: "host", vcpus: null },
    memory: { size: 2048, balloon: 1024, shares: 500 },
    disk: {
      scsi0: { datastore_id: "nvme", file: "nvme:vm-403-disk-0", size_gb: 20, discard: "on", media: "disk" },
      ide2: { file: "local:iso/a.iso", media: "cdrom" },
    },
    cdrom: { ide3: { file_id: "none" } },
    network: { net1: { bridge: "vmbr0", tag: 30, trunks: [10, 20], link_down: false } },
    timeouts: { create: "1h" },
  });
  expect(diagnostics).toEqual([]);
  expect(state).toEqual({
    vmid: 403,
    node: "pve1",
    name: "cloned",
    clone: { template: "9000", full: false, storage: "nvme" },
    cpu: { cores: 2, type: "host" },
    memory: { size: "2G", balloon: "1G", shares: 500 },
    disks: { scsi0: { storage: "nvme", volume: "nvme:vm-403-disk-0", size: "20G", discard: true } },
    cdroms: { ide3: { file: "none" } },
    networks: { net1: { bridge: "vmbr0", vlan: 30, trunks: ["10", "20"], link_down: false } },
  });
});
