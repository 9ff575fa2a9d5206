import type { LegacyState } from "#kit";
import { moveGuest, optionsOf, type Part } from "../../guest/moves.ts";
import type { VmAttributes } from "../attributes.ts";
import type { VmState } from "../contexts.ts";
import type { VmPrivateState } from "../private-state.ts";

export type VmPart = Part<VmState>;
export type DiskPart = NonNullable<NonNullable<VmPart["disks"]>[string]>;
export type NetworkPart = NonNullable<NonNullable<VmPart["networks"]>[string]>;

export const moveFrom = moveGuest<VmAttributes, VmPrivateState, VmPart>("VM", ({ smbios }) => {
  const uuid = smbios?.uuid?.toLowerCase();
  return uuid ? { uuid, generation: null } : null;
});

/** `q35,viommu=intel` */
export function machineOf(line: string | undefined): NonNullable<VmPart["machine"]> {
  const [type, ...options] = line?.split(",") ?? [];
  const { viommu } = optionsOf(options.join(","));
  return { type: type?.replace(/^type=/, ""), viommu: viommu as "intel" | "virtio" | undefined };
}

type Hotplug = NonNullable<NonNullable<VmPart["hotplug"]>>;

/** `0` is nothing, `1` PVE's default (qemu-server: src/PVE/QemuServer.pm, `parse_hotplug_features`). */
export function hotplugOf(line: string | undefined): Hotplug | undefined {
  if (line === undefined) return undefined;
  if (line === "0") return [];
  return (line === "1" ? ["network", "disk", "usb"] : line.split(/[,;\s]+/)) as Hotplug;
}

const smbiosTexts = ["uuid", "manufacturer", "product", "version", "serial", "sku", "family"] as const;

export const smbiosOf = (block: LegacyState): VmPart["smbios"] =>
  Object.fromEntries(smbiosTexts.map((name) => [name, block.text(name)]));
