import { type ConfigDraft, isSlot } from "#kit";
import { containerSlotLimits } from "#pve/slots";
import type { VolumeIn } from "../guest/kind.ts";

const { dev, mp, net, unused } = containerSlotLimits;

/** The root file system has no number. */
const rootfs = null;

/** Families of slots by what they hold. The order is the one in which slots are listed. */
export const families = {
  /** The root file system and the mount points. */
  volumes: { rootfs, mp },
  /** Volumes that are kept but not attached. */
  unused: { unused },
  networks: { net },
  devices: { dev },
  /** Devices in maps that hold no data. */
  plain: { net, dev },
  /** Devices that a clone inherits. */
  inherited: { rootfs, mp, net, dev },
} as const;

export const isMountSlot = (option: string): boolean => isSlot(option, families.volumes);

export const isCardSlot = (option: string): boolean => isSlot(option, families.networks);

/** The volume in the slot, a path of the host, or `local-lvm:8` while it is still to be allocated. */
export const volumeAt = (draft: ConfigDraft, slot: string): string =>
  String(draft.read({ option: slot, key: "volume" }) ?? "");

/** A directory or a device of the host rather than a volume. */
export const isHostPath = (volume: string): boolean => volume.startsWith("/");

/** A configuration, a plan or a state of a container, as far as it has volumes. */
export interface MountTree {
  readonly mounts?: Readonly<Record<string, VolumeIn["volume"]>> | null | undefined;
}

export const mountsIn = ({ mounts }: MountTree): VolumeIn[] =>
  Object.entries(mounts ?? {}).map(([slot, volume]) => ({ slot, path: ["mounts", slot], volume }));
