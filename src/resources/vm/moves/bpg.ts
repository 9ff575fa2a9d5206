import type { LegacyState } from "#kit";
import { bpgStartup, mebibytes, numbered } from "../../guest/moves.ts";
import { devices } from "./bpg-devices.ts";
import { blockDisk, slotDisk } from "./bpg-disks.ts";
import { hotplugOf, machineOf, moveFrom, type NetworkPart, type VmPart } from "./move.ts";

const provider = "bpg/proxmox";

/** States of bpg's provider, as of 0.111; two of its types have two names each. */
export const bpgMoves = [
  moveFrom(provider, "proxmox_virtual_environment_vm", blockVm),
  ...[
    "proxmox_vm",
    "proxmox_virtual_environment_vm2",
    "proxmox_cloned_vm",
    "proxmox_virtual_environment_cloned_vm",
  ].map((type) => moveFrom(provider, type, slotVm)),
];

/** The older type: blocks in lists, where the place in the list is the slot. */
function blockVm(vm: LegacyState): VmPart {
  return {
    ...common(vm),
    vmid: vm.number("vm_id") ?? idOf(vm),
    pool: vm.text("pool_id"),
    // What `translate` writes for it; a template is never started.
    power: vm.flag("started") === false && vm.flag("template") !== true ? "stopped" : undefined,
    clone: cloneOf(vm.block("clone")),
    ...plainOptions(vm),
    ...devices(vm),
    cpu: { ...processors(vm.block("cpu")), vcpus: vm.block("cpu").count("hotplugged") },
    memory: memory(vm.block("memory")),
    shared_memory: { size: vm.block("memory").count("shared") },
    disks: Object.fromEntries(vm.blocks("disk").map((disk) => [disk.text("interface") ?? "", blockDisk(disk)])),
    cdroms: Object.fromEntries(
      vm.blocks("cdrom").map((drive) => [drive.text("interface") ?? "ide3", { file: drive.text("file_id") ?? "none" }]),
    ),
    efi_disk: {
      storage: vm.block("efi_disk").text("datastore_id"),
      format: vm.block("efi_disk").text("file_format"),
      type: vm.block("efi_disk").text("type"),
      pre_enrolled_keys: vm.block("efi_disk").flag("pre_enrolled_keys"),
    },
    tpm_state: {
      storage: vm.block("tpm_state").text("datastore_id"),
      version: vm.block("tpm_state").text("version"),
    },
    networks: networks(vm),
    cloud_init: cloudInit(vm.block("initialization")),
  };
}

/** The newer types: maps keyed by slot, as here. */
function slotVm(vm: LegacyState): VmPart {
  const source = vm.block("clone");
  return {
    ...common(vm),
    vmid: idOf(vm),
    clone: source.isEmpty
      ? undefined
      : {
          template: String(source.number("source_vm_id")),
          full: source.flag("full"),
          storage: source.text("target_datastore"),
          format: source.text("target_format"),
          snapshot: source.text("snapshot_name"),
          bandwidth_limit: source.count("bandwidth_limit"),
        },
    cpu: { ...processors(vm.block("cpu")), vcpus: vm.block("cpu").count("vcpus") },
    memory: {
      size: mebibytes(vm.block("memory").count("size")),
      balloon: mebibytes(vm.block("memory").number("balloon")),
      shares: vm.block("memory").number("shares"),
      hugepages: vm.block("memory").text("hugepages"),
      keep_hugepages: vm.block("memory").flag("keep_hugepages"),
    },
    disks: Object.fromEntries(
      vm
        .block("disk")
        .entries.filter(([, disk]) => disk.text("media") !== "cdrom")
        .map(([slot, disk]) => [slot, slotDisk(disk)]),
    ),
    cdroms: Object.fromEntries(
      vm.block("cdrom").entries.map(([slot, drive]) => [slot, { file: drive.text("file_id") }]),
    ),
    networks: Object.fromEntries(
      vm.block("network").entries.map(([slot, card]) => [
        slot,
        {
          ...networkCard(card),
          vlan: card.count("tag"),
          trunks: card.words("trunks"),
          link_down: card.flag("link_down"),
        },
      ]),
    ),
  };
}

const idOf = (vm: LegacyState): number | undefined => vm.number("id") ?? (Number(vm.text("id")) || undefined);

/** What both kinds say in the same words. */
function common(vm: LegacyState): VmPart {
  return {
    node: vm.text("node_name"),
    name: vm.text("name"),
    description: vm.text("description"),
    tags: vm.words("tags"),
    template: vm.flag("template"),
    vga: {
      type: vm.block("vga").text("type"),
      memory: vm.block("vga").count("memory"),
      clipboard: vm.block("vga").text("clipboard"),
    },
    rng: {
      source: vm.block("rng").text("source"),
      max_bytes: vm.block("rng").number("max_bytes"),
      period: vm.block("rng").number("period"),
    },
  };
}

function cloneOf(source: LegacyState): VmPart["clone"] {
  const template = source.number("vm_id");
  if (template === undefined) return undefined;
  return { template: String(template), full: source.flag("full"), storage: source.text("datastore_id") };
}

function plainOptions(vm: LegacyState): VmPart {
  const agent = vm.block("agent");
  return {
    acpi: vm.flag("acpi"),
    agent: { enabled: agent.flag("enabled"), type: agent.text("type"), trim: agent.flag("trim") },
    args: vm.text("kvm_arguments"),
    bios: vm.text("bios"),
    boot_order: vm.words("boot_order"),
    hook_script: vm.text("hook_script_file_id"),
    hotplug: hotplugOf(vm.text("hotplug")),
    keyboard: vm.text("keyboard_layout"),
    machine: machineOf(vm.text("machine")),
    on_boot: vm.flag("on_boot"),
    os_type: vm.block("operating_system").text("type"),
    protection: vm.flag("protection"),
    scsi_hardware: vm.text("scsi_hardware"),
    startup: bpgStartup(vm),
    tablet: vm.flag("tablet_device"),
  };
}

function processors(cpu: LegacyState): NonNullable<VmPart["cpu"]> {
  return {
    cores: cpu.count("cores"),
    sockets: cpu.count("sockets"),
    type: cpu.text("type"),
    flags: cpu.words("flags"),
    limit: cpu.count("limit"),
    units: cpu.count("units"),
    numa: cpu.flag("numa"),
    affinity: cpu.text("affinity"),
    architecture: cpu.text("architecture"),
  };
}

function memory(block: LegacyState): NonNullable<VmPart["memory"]> {
  return {
    size: mebibytes(block.count("dedicated")),
    balloon: mebibytes(block.number("floating")),
    hugepages: block.text("hugepages"),
    keep_hugepages: block.flag("keep_hugepages"),
  };
}

/** Cards and addresses are two lists; what has the same place in both belongs together. */
function networks(vm: LegacyState): VmPart["networks"] {
  const [cards, macs] = [vm.blocks("network_device"), vm.words("mac_addresses") ?? []];
  const addresses = vm.block("initialization").blocks("ip_config");
  const family = (place: number, name: string) => {
    const block = addresses[place]?.block(name);
    return { address: block?.text("address"), gateway: block?.text("gateway") };
  };
  const slots = Array.from({ length: Math.max(cards.length, Math.min(macs.length, addresses.length)) }, (_, place) => {
    const card = cards[place];
    return {
      ...(card && { ...networkCard(card), vlan: card.count("vlan_id"), link_down: card.flag("disconnected") }),
      trunks: card?.text("trunks")?.split(/[;,]/),
      mac: card?.text("mac_address") ?? macs[place],
      ipv4: family(place, "ipv4"),
      ipv6: family(place, "ipv6"),
    };
  });
  return numbered("net", slots);
}

const networkCard = (card: LegacyState): NetworkPart => ({
  model: card.text("model"),
  bridge: card.text("bridge"),
  mac: card.text("mac_address"),
  firewall: card.flag("firewall"),
  mtu: card.count("mtu"),
  queues: card.count("queues"),
  rate_limit: card.count("rate_limit"),
});

function cloudInit(block: LegacyState): VmPart["cloud_init"] {
  const [user, dns] = [block.block("user_account"), block.block("dns")];
  return {
    storage: block.text("datastore_id"),
    slot: block.text("interface"),
    user: user.text("username"),
    ssh_keys: user.words("keys"),
    dns_servers: dns.words("servers"),
    search_domain: dns.text("domain"),
    upgrade: block.flag("upgrade"),
    type: block.text("type"),
    snippets: {
      user: block.text("user_data_file_id"),
      network: block.text("network_data_file_id"),
      meta: block.text("meta_data_file_id"),
      vendor: block.text("vendor_data_file_id"),
    },
  };
}
