import { describe, expect, test } from "vitest";
import { moveState } from "./move-state.ts";

const address = "registry.terraform.io/telmate/proxmox";
const move = (state: object, source = address) => moveState(source, "proxmox_vm_qemu", { vmid: 401, ...state });

/** Every slot has its own list, empty or with one block. */
const slot = (kind: string, content: object) => [
  { cdrom: [], cloudinit: [], disk: [], ignore: false, passthrough: [], [kind]: [content] },
];

describe("a state of proxmox_vm_qemu", () => {
  test.each<{ what: string; given: object; expected: object }>([
    {
      what: "place, name and source",
      given: {
        target_node: "pve2",
        current_node: "pve1",
        name: "web",
        pool: "",
        tags: "b;a",
        clone: "ubuntu-24.04",
        clone_id: null,
        full_clone: true,
        description: "Managed by Terraform.",
      },
      expected: {
        node: "pve2",
        name: "web",
        tags: ["a", "b"],
        clone: { template: "ubuntu-24.04", full: true },
        description: "Managed by Terraform.",
      },
    },
    { what: "a source given by its id", given: { clone_id: 9000 }, expected: { clone: { template: "9000" } } },
    {
      what: "processors of their own block",
      given: {
        cores: 0,
        cpu: [{ cores: 4, sockets: 1, type: "host", vcores: 0, flags: [{ aes: "on", pbpe1gb: "off", ssbd: "" }] }],
      },
      expected: { cpu: { cores: 4, sockets: 1, type: "host", flags: ["+aes", "-pdpe1gb"] } },
    },
    {
      what: "processors as they were written before there was a block",
      given: { cpu: "host", cores: 2, sockets: 1, vcpus: 0, numa: false },
      expected: { cpu: { cores: 2, sockets: 1, type: "host", numa: false } },
    },
    {
      what: "memory",
      given: { memory: 8192, balloon: 0 },
      expected: { memory: { size: "8G", balloon: "0" } },
    },
    {
      what: "drives of every slot",
      given: {
        disks: [
          {
            ide: [
              {
                ide0: slot("cdrom", { iso: "local:iso/a.iso", passthrough: false }),
                ide1: slot("cdrom", { iso: "", passthrough: true }),
                ide2: slot("cloudinit", { storage: "nvme" }),
                ide3: [],
              },
            ],
            sata: [],
            scsi: [
              {
                scsi0: slot("disk", {
                  storage: "nvme",
                  size: "100G",
                  format: "raw",
                  discard: true,
                  emulatessd: true,
                  cache: "",
                  linked_disk_id: -1,
                  mbps_r_concurrent: 10,
                  iops_wr_burst: 0,
                }),
                scsi1: slot("passthrough", { file: "/dev/sdb", size: "1T", backup: false }),
                scsi2: [{ ...slot("disk", { storage: "nvme" })[0], ignore: true }],
              },
            ],
          },
        ],
      },
      expected: {
        cdroms: { ide0: { file: "local:iso/a.iso" }, ide1: { file: "cdrom" } },
        cloud_init: { slot: "ide2", storage: "nvme" },
        disks: {
          scsi0: {
            storage: "nvme",
            size: "100G",
            format: "raw",
            discard: true,
            ssd: true,
            limits: { mbps_read: 10 },
          },
          scsi1: { volume: "/dev/sdb", size: "1T", backup: false },
        },
      },
    },
    {
      what: "drives of a list",
      given: {
        disk: [
          { slot: "virtio0", type: "disk", storage: "nvme", size: "32G", passthrough: false },
          { slot: "ide2", type: "cloudinit", storage: "nvme" },
          { slot: "ide0", type: "cdrom", iso: "" },
          { slot: "scsi5", type: "ignore" },
        ],
      },
      expected: {
        disks: { virtio0: { storage: "nvme", size: "32G" } },
        cloud_init: { slot: "ide2", storage: "nvme" },
        cdroms: { ide0: { file: "none" } },
      },
    },
    {
      what: "drives as 2.9 wrote them",
      given: { disk: [{ type: "scsi", slot: 0, storage: "nvme", size: "8G", volume: "nvme:vm-401-disk-0" }] },
      expected: { disks: { scsi0: { storage: "nvme", size: "8G", volume: "nvme:vm-401-disk-0" } } },
    },
    {
      what: "network cards by their id, with their addresses",
      given: {
        network: [
          { id: 1, model: "virtio", bridge: "vmbr1", macaddr: "bc:24:11:00:00:02", tag: 20, rate: 5, firewall: false },
          { id: 0, model: "e1000", bridge: "vmbr0", macaddr: "bc:24:11:00:00:01", tag: -1, mtu: 0 },
        ],
        ipconfig0: "ip=10.0.0.5/24,gw=10.0.0.1,ip6=fd00::5/64,gw6=fd00::1",
        ipconfig1: null,
      },
      expected: {
        networks: {
          net0: {
            model: "e1000",
            bridge: "vmbr0",
            mac: "bc:24:11:00:00:01",
            ipv4: { address: "10.0.0.5/24", gateway: "10.0.0.1" },
            ipv6: { address: "fd00::5/64", gateway: "fd00::1" },
          },
          net1: { model: "virtio", bridge: "vmbr1", mac: "bc:24:11:00:00:02", vlan: 20, firewall: false },
        },
      },
    },
    {
      what: "cloud-init, without its password",
      given: {
        ciuser: "ops",
        cipassword: "secret",
        ciupgrade: false,
        sshkeys: "ssh-ed25519 AAAA one\n\nssh-rsa BBBB two\n",
        nameserver: "192.0.2.53 192.0.2.54",
        searchdomain: "example.com",
        cicustom: "user=local:snippets/u.yml,network=local:snippets/n.yml",
      },
      expected: {
        cloud_init: {
          user: "ops",
          upgrade: false,
          ssh_keys: ["ssh-ed25519 AAAA one", "ssh-rsa BBBB two"],
          dns_servers: ["192.0.2.53", "192.0.2.54"],
          search_domain: "example.com",
          snippets: { user: "local:snippets/u.yml", network: "local:snippets/n.yml" },
        },
      },
    },
    {
      what: "options",
      given: {
        agent: 1,
        bios: "seabios",
        boot: "order=scsi0;net0",
        hotplug: "1",
        kvm: true,
        machine: "",
        onboot: null,
        start_at_node_boot: true,
        qemu_os: "l26",
        os_type: "cloud-init",
        scsihw: "virtio-scsi-single",
        startup_shutdown: [{ order: 2, shutdown_timeout: -1, startup_delay: 30 }],
        tablet: true,
        vm_state: "running",
      },
      expected: {
        agent: { enabled: true },
        bios: "seabios",
        boot_order: ["scsi0", "net0"],
        hotplug: ["disk", "network", "usb"],
        kvm: true,
        on_boot: true,
        os_type: "l26",
        scsi_hardware: "virtio-scsi-single",
        startup: { order: 2, up_delay: 30 },
        tablet: true,
      },
    },
    {
      what: "options in their former words",
      given: { boot: "cdn", startup: "order=1,down=5", desc: "notes", onboot: false, hotplug: "0" },
      expected: { startup: { order: 1, down_delay: 5 }, description: "notes", on_boot: false, hotplug: [] },
    },
    {
      what: "devices",
      given: {
        efidisk: [{ storage: "nvme", efitype: "4m", format: "raw", pre_enrolled_keys: false }],
        tpm_state: [{ storage: "nvme", version: "v2.0" }],
        pci: [{ id: 2, mapping_id: "gpu", raw_id: "", pcie: true }],
        pcis: [{ pci0: [{ mapping: [], raw: [{ raw_id: "0000:01:00.0", rombar: true }] }], pci1: [] }],
        usb: [{ id: 1, device_id: "046d:c52b", mapping_id: "", usb3: true }],
        usbs: [{ usb0: [{ device: [], mapping: [], port: [], spice: [{ usb3: false }] }] }],
        serial: [{ id: 0, type: "socket" }],
        vga: [{ type: "std", memory: 0 }],
        rng: [{ source: "/dev/urandom", limit: 1024, period: 0 }],
      },
      expected: {
        efi_disk: { storage: "nvme", type: "4m", format: "raw", pre_enrolled_keys: false },
        tpm_state: { storage: "nvme", version: "v2.0" },
        pci: { hostpci0: { address: "0000:01:00.0", rombar: true }, hostpci2: { mapping: "gpu", pcie: true } },
        usb: { usb0: { device: "spice", usb3: false }, usb1: { device: "046d:c52b", usb3: true } },
        serial: { serial0: "socket" },
        vga: { type: "std" },
        rng: { source: "/dev/urandom", max_bytes: 1024 },
      },
    },
  ])("has $what", async ({ given, expected }) => {
    const { state, diagnostics } = await move(given);
    expect(diagnostics).toEqual([]);
    expect(state).toEqual({ vmid: 401, ...expected });
  });

  test("takes the VMID from the id", async () => {
    const { state } = await move({ vmid: 0, id: "pve/qemu/405" });
    expect(state).toEqual({ vmid: 405 });
  });

  test("keeps the identity of the VM", async () => {
    const { privateState } = await move({ smbios: [{ uuid: "2df621ac-20d7-4c26-8c89-9f51d24f105c", sku: "" }] });
    expect(privateState).toMatchObject({ fingerprint: { uuid: "2df621ac-20d7-4c26-8c89-9f51d24f105c" } });
  });

  test.each([
    "registry.terraform.io/telmate/proxmox",
    "registry.terraform.io/Telmate/proxmox",
    "registry.opentofu.org/telmate/proxmox",
    "mirror.example.com/telmate/proxmox",
  ])("is accepted from %s", async (source) => {
    const { state, diagnostics } = await move({}, source);
    expect(diagnostics).toEqual([]);
    expect(state).toEqual({ vmid: 401 });
  });

  test.each(["registry.terraform.io/bpg/proxmox", "registry.terraform.io/nottelmate/proxmox"])(
    "is not accepted from %s",
    async (source) => {
      const { diagnostics } = await move({}, source);
      expect(diagnostics).toMatchObject([{ severity: "error", summary: "Unable to move the resource" }]);
    },
  );
});
