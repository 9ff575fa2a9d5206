import { Failure, LegacyState, type MoveDefinition, sizeOf } from "#kit";
import type { VmAttributes } from "../attributes.ts";
import type { VmState } from "../contexts.ts";
import type { VmPrivateState } from "../private-state.ts";

export type VmMove = MoveDefinition<VmAttributes, VmPrivateState>;

/** A value as far as the other state has it; what is `undefined` is left to the refresh. */
type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T;

export type VmPart = Part<VmState>;
export type DiskPart = NonNullable<NonNullable<VmPart["disks"]>[string]>;
export type NetworkPart = NonNullable<NonNullable<VmPart["networks"]>[string]>;

/**
 * A move from one type of another provider. What that provider does (its timeouts, waits, power and deletion switches)
 * stays behind: here it is said in other words or not at all, and a state that repeats it would only make a difference
 * in the first plan.
 */
export function moveFrom(provider: string, type: string, translate: (vm: LegacyState) => VmPart): VmMove {
  return {
    provider,
    type,
    move({ state, privateState }) {
      const vm = translate(new LegacyState(state));
      if (vm.vmid === undefined) {
        throw new Failure("Unable to move the resource", "Its state does not say which VM it is: there is no VMID.");
      }
      // Who wrote that node is not the one who moved the VM elsewhere since.
      privateState.node = vm.node ?? null;
      const uuid = vm.smbios?.uuid?.toLowerCase();
      if (uuid) privateState.fingerprint = { uuid, generation: null };
      return prune(vm) as Partial<VmState>;
    },
  };
}

/** Without members that are not known, and without objects that have none left. */
function prune(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const pruned = Object.entries(value).map(([name, member]) => [name, prune(member)] as const);
  const kept = pruned.filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export const mebibytes = (amount: number | undefined) => (amount === undefined ? undefined : sizeOf(amount * 2 ** 20));
export const gibibytes = (amount: number | undefined) => (amount === undefined ? undefined : sizeOf(amount * 2 ** 30));

/** `q35,viommu=intel` */
export function machineOf(line: string | undefined): NonNullable<VmPart["machine"]> {
  const [type, ...options] = line?.split(",") ?? [];
  const { viommu } = optionsOf(options.join(","));
  return { type: type?.replace(/^type=/, ""), viommu: viommu as "intel" | "virtio" | undefined };
}

/** `a=1,b=2` */
export const optionsOf = (line: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((line?.split(",") ?? []).map((option) => option.split(/=(.*)/s, 2)));

type Hotplug = NonNullable<NonNullable<VmPart["hotplug"]>>;

/** `0` is nothing, `1` PVE's default (qemu-server: src/PVE/QemuServer.pm, `parse_hotplug_features`). */
export function hotplugOf(line: string | undefined): Hotplug | undefined {
  if (line === undefined) return undefined;
  if (line === "0") return [];
  return (line === "1" ? ["network", "disk", "usb"] : line.split(/[,;\s]+/)) as Hotplug;
}

/** Devices by slot, where the other provider only counts them. */
export const numbered = <T>(family: string, devices: readonly T[]): Record<string, T> =>
  Object.fromEntries(devices.map((device, number) => [`${family}${number}`, device]));

const smbiosTexts = ["uuid", "manufacturer", "product", "version", "serial", "sku", "family"] as const;

export const smbiosOf = (block: LegacyState): VmPart["smbios"] =>
  Object.fromEntries(smbiosTexts.map((name) => [name, block.text(name)]));
