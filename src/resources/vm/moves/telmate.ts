import type { LegacyState } from "#kit";
import { linesOf, mebibytes, optionsOf, telmateStartup, vmidIn } from "../../guest/moves.ts";
import { hotplugOf, machineOf, moveFrom, smbiosOf, type VmPart } from "./move.ts";
import { drives } from "./telmate-drives.ts";

/** States of Telmate's provider: 3.0 with all its release candidates, and what 2.9 said in other places. */
export const telmateMoves = [moveFrom("telmate/proxmox", "proxmox_vm_qemu", vmQemu)];

function vmQemu(vm: LegacyState): VmPart {
  const { disks, cdroms, cloud_init } = drives(vm);
  return {
    vmid: vm.count("vmid") ?? vmidIn(vm.text("id")),
    node: vm.text("target_node") ?? vm.text("current_node"),
    pool: vm.text("pool"),
    power: (vm.text("vm_state") ?? vm.text("power_state")) === "stopped" ? "stopped" : undefined,
    clone: cloneOf(vm),
    ...plainOptions(vm),
    cpu: processors(vm),
    memory: { size: mebibytes(vm.count("memory")), balloon: mebibytes(vm.number("balloon")) },
    disks,
    cdroms,
    cloud_init: { ...cloudInit(vm), ...cloud_init },
    networks: networks(vm),
    efi_disk: {
      storage: vm.block("efidisk").text("storage"),
      format: vm.block("efidisk").text("format"),
      type: vm.block("efidisk").text("efitype"),
      pre_enrolled_keys: vm.block("efidisk").flag("pre_enrolled_keys"),
    },
    tpm_state: { storage: vm.block("tpm_state").text("storage"), version: vm.block("tpm_state").text("version") },
    ...devices(vm),
  };
}

function cloneOf(vm: LegacyState): VmPart["clone"] {
  const template = vm.text("clone") ?? vm.count("clone_id")?.toString();
  return template === undefined ? undefined : { template, full: vm.flag("full_clone") };
}

function plainOptions(vm: LegacyState): VmPart {
  const agent = vm.number("agent");
  return {
    name: vm.text("name"),
    description: vm.text("description") ?? vm.text("desc"),
    tags: vm.text("tags")?.split(/[;,\s]+/),
    agent: { enabled: agent === undefined ? undefined : agent === 1 },
    args: vm.text("args"),
    bios: vm.text("bios"),
    // The older form, letters for kinds of devices, names no device.
    boot_order: /^order=(.+)$/.exec(vm.text("boot") ?? "")?.[1]?.split(";"),
    hotplug: hotplugOf(vm.text("hotplug")),
    kvm: vm.flag("kvm"),
    machine: machineOf(vm.text("machine")),
    on_boot: vm.flag("start_at_node_boot") ?? vm.flag("onboot"),
    os_type: vm.text("qemu_os"),
    protection: vm.flag("protection"),
    scsi_hardware: vm.text("scsihw"),
    startup: telmateStartup(vm),
    tablet: vm.flag("tablet"),
  };
}

/** A block of its own since 3.0.2; before, `cpu` was the type and the rest stood beside it. */
function processors(vm: LegacyState): VmPart["cpu"] {
  const cpu = vm.block("cpu");
  const flags = cpu.block("flags");
  const switched = cpuFlags.flatMap((flag) => {
    const state = flags.text(flag);
    const name = flag === "pbpe1gb" ? "pdpe1gb" : flag.replaceAll("_", "-");
    return state === "on" ? [`+${name}`] : state === "off" ? [`-${name}`] : [];
  });
  return {
    cores: cpu.count("cores") ?? vm.count("cores"),
    sockets: cpu.count("sockets") ?? vm.count("sockets"),
    vcpus: cpu.count("vcores") ?? vm.count("vcpus"),
    type: cpu.text("type") ?? vm.text("cpu_type") ?? vm.text("cpu"),
    flags: switched.length > 0 ? switched : undefined,
    limit: cpu.count("limit"),
    units: cpu.count("units"),
    numa: cpu.flag("numa") ?? vm.flag("numa"),
    affinity: cpu.text("affinity"),
  };
}

const cpuFlags = [
  "aes",
  "amd_no_ssb",
  "amd_ssbd",
  "hv_evmcs",
  "hv_tlbflush",
  "ibpb",
  "md_clear",
  "pbpe1gb",
  "pcid",
  "spec_ctrl",
  "ssbd",
  "virt_ssbd",
];

/** Its `rate` is left to the refresh: releases disagree about the unit. */
function networks(vm: LegacyState): VmPart["networks"] {
  return Object.fromEntries(
    vm.blocks("network").map((card, place) => {
      const number = card.number("id") ?? place;
      const { ip, gw, ip6, gw6 } = optionsOf(vm.text(`ipconfig${number}`));
      return [
        `net${number}`,
        {
          model: card.text<"virtio">("model"),
          bridge: card.text("bridge"),
          mac: card.text("macaddr"),
          vlan: card.count("tag"),
          firewall: card.flag("firewall"),
          link_down: card.flag("link_down"),
          mtu: card.count("mtu"),
          queues: card.count("queues"),
          ipv4: { address: ip, gateway: gw },
          ipv6: { address: ip6, gateway: gw6 },
        },
      ];
    }),
  );
}

function cloudInit(vm: LegacyState): NonNullable<VmPart["cloud_init"]> {
  const { user, network, meta, vendor } = optionsOf(vm.text("cicustom"));
  return {
    user: vm.text("ciuser"),
    ssh_keys: linesOf(vm.text("sshkeys")),
    dns_servers: vm.text("nameserver")?.split(/[\s,;]+/),
    search_domain: vm.text("searchdomain"),
    upgrade: vm.flag("ciupgrade"),
    snippets: { user, network, meta, vendor },
  };
}

function devices(vm: LegacyState): VmPart {
  const [vga, rng] = [vm.block("vga"), vm.block("rng")];
  return {
    vga: { type: vga.text("type"), memory: vga.count("memory") },
    rng: { source: rng.text("source"), max_bytes: rng.number("limit"), period: rng.count("period") },
    smbios: smbiosOf(vm.block("smbios")),
    serial: Object.fromEntries(
      vm.blocks("serial").map((port) => [`serial${port.number("id")}`, port.text("type") ?? "socket"]),
    ),
    pci: Object.fromEntries([
      ...vm.blocks("hostpci").map((device, place) => [`hostpci${place}`, { address: device.text("host") }]),
      ...vm.blocks("pci").map((device) => [`hostpci${device.number("id")}`, pci(device)]),
      ...slots(vm.block("pcis")).map(([slot, device]) => [slot.replace("pci", "hostpci"), pci(device)]),
    ]),
    usb: Object.fromEntries([
      ...vm.blocks("usb").map((device, place) => [`usb${device.number("id") ?? place}`, usb(device)]),
      ...slots(vm.block("usbs")).map(([slot, device, kind]) => [slot, usb(device, kind)]),
    ]),
  };
}

/** Slots that hold one block, whose name says of what kind the device is. */
const slots = (group: LegacyState): [slot: string, device: LegacyState, kind: string][] =>
  group.entries.flatMap(([slot, content]) =>
    content.entries.map(([kind, device]): [string, LegacyState, string] => [slot, device, kind]),
  );

const pci = (device: LegacyState) => ({
  mapping: device.text("mapping_id"),
  address: device.text("raw_id"),
  mdev: device.text("mdev"),
  pcie: device.flag("pcie"),
  primary_gpu: device.flag("primary_gpu"),
  rombar: device.flag("rombar"),
  vendor_id: device.text("vendor_id"),
  device_id: device.text("device_id"),
  sub_vendor_id: device.text("sub_vendor_id"),
  sub_device_id: device.text("sub_device_id"),
});

const usb = (device: LegacyState, kind?: string) => ({
  mapping: device.text("mapping_id"),
  device: kind === "spice" ? "spice" : (device.text("device_id") ?? device.text("port_id") ?? device.text("host")),
  usb3: device.flag("usb3"),
});
