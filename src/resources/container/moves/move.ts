import { moveGuest, type Part } from "../../guest/moves.ts";
import type { GuestPrivateState } from "../../guest/private-state.ts";
import type { ContainerAttributes } from "../attributes.ts";
import type { ContainerState } from "../contexts.ts";

export type ContainerPart = Part<ContainerState>;
export type MountPart = NonNullable<NonNullable<ContainerPart["mounts"]>[string]>;
export type NetworkPart = NonNullable<NonNullable<ContainerPart["networks"]>[string]>;

export const moveFrom = moveGuest<ContainerAttributes, GuestPrivateState, ContainerPart>(
  "container",
  ({ networks }) => {
    const macs = Object.entries(networks ?? {}).flatMap(([slot, card]) =>
      card?.mac ? [[slot, card.mac.toUpperCase()] as const] : [],
    );
    return macs.length > 0 ? Object.fromEntries(macs) : null;
  },
);

/** Both providers store a default of "no" for what is not configured, which PVE does not. */
export const ifSet = (flag: boolean | undefined): true | undefined => flag || undefined;

/** A volume with its storage, or a path of the host. */
export const volumeParts = (volume: string | undefined, size: string | undefined): MountPart =>
  volume?.startsWith("/") ? { host_path: volume } : { volume, storage: volume?.split(":")[0], size };

type MountOption = NonNullable<MountPart["options"]>[number];

/** The mount options that are switched on, by PVE's names. */
export function switchedOn(flags: Readonly<Record<MountOption, boolean | undefined>>): MountOption[] | undefined {
  const names = (Object.keys(flags) as MountOption[]).filter((name) => flags[name]);
  return names.length > 0 ? names : undefined;
}
