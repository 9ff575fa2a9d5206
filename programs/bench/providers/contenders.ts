import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { bunLicense } from "../../../scripts/package/bun-release.ts";
import { makeExecutable } from "../../../scripts/package/executable.ts";
import { hostPlatform } from "../../../scripts/package/platform.ts";
import { bundleProvider } from "../../../scripts/provider-bundle.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import type { PluginBinary } from "../../../test/terraform/plugin-binary.ts";
import { bpgContainers, ourContainers, telmateContainers } from "./containers.ts";
import { bpgOthers, mixedVms, ourOthers } from "./mixed.ts";
import {
  type Access,
  bpgAddress,
  bpgProvider,
  ourProvider,
  telmateAddress,
  telmateProvider,
} from "./provider-blocks.ts";

/** What is measured. */
export type Guests = "vms" | "containers" | "mixed";

/** A provider to measure, and the same guests in its configuration. */
export interface Contender {
  readonly name: string;
  readonly address: string;
  readonly plugin: PluginBinary;
  /**
   * The given number of guests: VMs are full clones, containers are made from a template file. They stay stopped, since
   * the start of a guest does not depend on the provider.
   */
  configuration(count: number, access: Access): string;
}

/**
 * This provider, packaged as in a release or from the path in `OUR_PROVIDER`; and another one, if `PEER_PROVIDER` is
 * its path and `PEER_KIND` its kind.
 */
export async function contenders(environment: NodeJS.ProcessEnv, guests: Guests = "vms"): Promise<Contender[]> {
  const path = environment["PEER_PROVIDER"];
  const kind = environment["PEER_KIND"];
  const ourOwn = ours(environment["OUR_PROVIDER"] ?? (await packaged()), guests);
  if (path === undefined) return [ourOwn];
  if (kind !== "bpg" && kind !== "telmate") throw new Error("PEER_KIND must be bpg or telmate");
  const { address, [guests]: configuration } = peers[kind];
  if (!configuration) throw new Error(`there is no configuration of ${guests} for ${kind}`);
  return [ourOwn, { name: kind, plugin: pluginAt(path), address, configuration }];
}

const ours = (path: string, guests: Guests): Contender => ({
  name: "ours",
  address: sourceAddress,
  plugin: pluginAt(path),
  configuration: own[guests],
});

async function packaged(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "ours-")), "terraform-provider-proxmox");
  const { files } = await bundleProvider({ components: [bunLicense()] });
  makeExecutable(hostPlatform(), files, path);
  return path;
}

type Configurations = Readonly<Record<Guests, Contender["configuration"] | null>>;

const own = {
  vms: ourVms,
  containers: ourContainers,
  mixed: (count: number, access: Access) => `${ourVms(mixedVms(count), access)}${ourOthers(count)}`,
};

const peers: Readonly<Record<"bpg" | "telmate", Configurations & { readonly address: string }>> = {
  bpg: {
    address: bpgAddress,
    vms: bpgVms,
    containers: bpgContainers,
    mixed: (count, access) => `${bpgVms(mixedVms(count), access)}${bpgOthers(count)}`,
  },
  telmate: { address: telmateAddress, vms: telmateVms, containers: telmateContainers, mixed: null },
};

/** Terraform uses the folder, and searches for a file of that name in it. */
function pluginAt(given: string): PluginBinary {
  const path = resolve(given);
  if (!basename(path).startsWith("terraform-provider-proxmox")) {
    throw new Error(`${path} must be named terraform-provider-proxmox`);
  }
  return { name: "proxmox", folder: dirname(path), path };
}

function ourVms(count: number, access: Access): string {
  return `${ourProvider(access)}
resource "proxmox_vm" "vm" {
  count    = ${count}
  name     = "vm-\${count.index}"
  vmid     = 1000 + count.index
  node     = "pve1"
  clone    = { template = "9000", full = true }
  cpu      = { cores = 4 }
  memory   = { size = "4G" }
  networks = { net0 = { bridge = "vmbr0", vlan = 20 } }
  power    = "stopped"
}
`;
}

function bpgVms(count: number, access: Access): string {
  return `${bpgProvider(access)}
resource "proxmox_virtual_environment_vm" "vm" {
  count     = ${count}
  name      = "vm-\${count.index}"
  vm_id     = 1000 + count.index
  node_name = "pve1"
  started   = false
  clone {
    vm_id = 9000
    full  = true
  }
  agent {
    enabled = false
  }
  cpu {
    cores = 4
  }
  memory {
    dedicated = 4096
  }
  network_device {
    bridge  = "vmbr0"
    vlan_id = 20
  }
}
`;
}

function telmateVms(count: number, access: Access): string {
  return `${telmateProvider(access)}
resource "proxmox_vm_qemu" "vm" {
  count       = ${count}
  name        = "vm-\${count.index}"
  vmid        = 1000 + count.index
  target_node = "pve1"
  clone       = "ubuntu-24.04-cloud"
  full_clone  = true
  vm_state    = "stopped"
  agent       = 0
  memory      = 4096
  scsihw      = "virtio-scsi-single"
  startup_shutdown { # which every plan would remove again
    order            = -1
    shutdown_timeout = -1
    startup_delay    = -1
  }
  cpu {
    cores = 4
  }
  disks {
    scsi {
      scsi0 {
        disk {
          storage = "local-lvm"
          size    = "3584M"
        }
      }
    }
    ide {
      ide2 {
        cloudinit {
          storage = "local-lvm"
        }
      }
    }
  }
  network {
    id     = 0
    model  = "virtio"
    bridge = "vmbr0"
    tag    = 20
  }
}
`;
}
