import type { LegacyState } from "#kit";
import { mebibytes, numbered } from "../../guest/moves.ts";
import { smbiosOf, type VmPart } from "./move.ts";

/** What is in slots besides disks and network cards, and what there is one of. */
export function devices(vm: LegacyState): VmPart {
  return {
    amd_sev: {
      type: vm.block("amd_sev").text("type"),
      allow_smt: vm.block("amd_sev").flag("allow_smt"),
      kernel_hashes: vm.block("amd_sev").flag("kernel_hashes"),
      no_debug: vm.block("amd_sev").flag("no_debug"),
      no_key_sharing: vm.block("amd_sev").flag("no_key_sharing"),
    },
    audio: enabled(vm.block("audio_device"), (audio) => ({
      device: audio.text("device"),
      driver: audio.text("driver"),
    })),
    watchdog: enabled(vm.block("watchdog"), (dog) => ({ model: dog.text("model"), action: dog.text("action") })),
    smbios: smbiosOf(vm.block("smbios")),
    serial: numbered(
      "serial",
      vm.blocks("serial_device").map((port) => port.text("device") ?? "socket"),
    ),
    pci: Object.fromEntries(vm.blocks("hostpci").map((device) => [device.text("device") ?? "", pci(device)])),
    usb: numbered("usb", vm.blocks("usb").map(usb)),
    virtiofs: numbered("virtiofs", vm.blocks("virtiofs").map(virtiofs)),
    numa_nodes: Object.fromEntries(vm.blocks("numa").map((node) => [node.text("device") ?? "", numaNode(node)])),
  };
}

const enabled = <T>(block: LegacyState, read: (block: LegacyState) => T): T | undefined =>
  block.flag("enabled") === false ? undefined : read(block);

const pci = (device: LegacyState) => ({
  mapping: device.text("mapping"),
  address: device.text("id"),
  mdev: device.text("mdev"),
  pcie: device.flag("pcie"),
  rombar: device.flag("rombar"),
  rom_file: device.text("rom_file"),
  primary_gpu: device.flag("xvga"),
});

const usb = (device: LegacyState) => ({
  mapping: device.text("mapping"),
  device: device.text("host"),
  usb3: device.flag("usb3"),
});

const virtiofs = (share: LegacyState) => ({
  mapping: share.text("mapping"),
  cache: share.text<"auto">("cache"),
  direct_io: share.flag("direct_io"),
  expose_acl: share.flag("expose_acl"),
  expose_xattr: share.flag("expose_xattr"),
});

const numaNode = (node: LegacyState) => ({
  cpus: node.text("cpus")?.split(/[;,]/),
  memory: mebibytes(node.count("memory")),
  host_nodes: node.text("hostnodes")?.split(/[;,]/),
  policy: node.text<"preferred">("policy"),
});
