import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A state that another provider wrote, with its VMs and a configuration for this provider. */
export interface RecordedState {
  readonly title: string;
  readonly path: string;
  /** The address to move from. */
  readonly from: string;
  readonly hcl: string;
  /** For the simulator's seed. */
  guests(): object[];
}

interface Attributes {
  readonly name: string;
  readonly vmid?: number;
  readonly vm_id?: number;
  readonly network?: readonly { readonly macaddr: string }[];
  readonly mac_addresses?: readonly string[];
  readonly smbios?: readonly { readonly uuid: string }[];
}

const folder = join(import.meta.dirname, "../../../shared/anchors/states");

/** Both have the same VMs: two of one template, with a larger disk, a VLAN and fixed addresses. */
const hcl = (template: string) => `
resource "proxmox_vm" "vm" {
  count      = 2
  name       = "rancher-\${count.index + 1}"
  node       = "pve"
  vmid       = 401 + count.index
  clone      = { template = "${template}", full = true }
  cpu        = { cores = 4 }
  memory     = { size = "8G" }
  disks      = { scsi0 = { storage = "local-lvm", size = "100G" } }
  cloud_init = { storage = "local-lvm" }
  networks = {
    net0 = {
      bridge = "vmbr0"
      vlan   = 20
      ipv4   = { address = "10.0.20.\${11 + count.index}/24", gateway = "10.0.20.1" }
    }
  }
}
`;

export const recordedStates: readonly RecordedState[] = [
  recorded("bpg.tfstate", "proxmox_virtual_environment_vm.vm", hcl("9000")),
  recorded("telmate.tfstate", "proxmox_vm_qemu.vm", hcl("ubuntu-24.04-cloud")),
];

function recorded(title: string, from: string, configuration: string): RecordedState {
  const path = join(folder, title);
  const guests = () => (existsSync(path) ? readInstances(path).map(guestOf) : []);
  return { title, path, from, hcl: configuration, guests };
}

function readInstances(path: string): Attributes[] {
  const { resources } = JSON.parse(readFileSync(path, "utf8")) as {
    resources: { instances: { attributes: Attributes }[] }[];
  };
  return resources.flatMap(({ instances }) => instances.map(({ attributes }) => attributes));
}

function guestOf({ name, vmid, vm_id, network, mac_addresses, smbios }: Attributes, index: number): object {
  const id = vmid ?? vm_id ?? 0;
  const mac = (mac_addresses?.[0] ?? network?.[0]?.macaddr ?? "").toUpperCase();
  return {
    vmid: id,
    running: true,
    config: {
      balloon: 0,
      boot: "order=scsi0",
      cores: 4,
      ide2: `local-lvm:vm-${id}-cloudinit,media=cdrom`,
      ipconfig0: `ip=10.0.20.${11 + index}/24,gw=10.0.20.1`,
      memory: 8192,
      name,
      net0: `virtio=${mac},bridge=vmbr0,tag=20`,
      scsi0: `local-lvm:vm-${id}-disk-0,size=100G`,
      scsihw: "virtio-scsi-single",
      serial0: "socket",
      smbios1: `uuid=${smbios?.[0]?.uuid ?? `40100000-0000-4000-8000-000000000${id}`}`,
      vga: "serial0",
      vmgenid: `40100000-0000-4000-9000-000000000${id}`,
    },
  };
}
