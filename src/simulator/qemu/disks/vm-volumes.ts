import type { Section } from "../../core/world/guest.ts";
import type { VmConfig } from "../config/config-text.ts";
import { type Drive, drivesOf, isCdrom, isCloudInit, unusedDrivesOf } from "../config/drive.ts";
import { isDriveSlot } from "../config/options.ts";
import { isTrue } from "../config/perl.ts";

/** How a VM refers to a volume, over all its references. */
export interface VolumeUse {
  cdrom: 0 | 1;
  is_cloudinit: 0 | 1;
  replicate: 0 | 1;
  shared: 0 | 1;
  is_unused: 0 | 1;
  is_attached: 0 | 1;
  is_vmstate: 0 | 1;
  is_tpmstate: 0 | 1;
  size?: number;
  drivename?: string;
  referenced_in_snapshot?: Record<string, 1>;
  referenced_in_pending?: 1;
}

const unreferenced: VolumeUse = {
  cdrom: 1,
  is_cloudinit: 0,
  replicate: 0,
  shared: 0,
  is_unused: 0,
  is_attached: 0,
  is_vmstate: 0,
  is_tpmstate: 0,
};

interface Place {
  readonly key: string;
  readonly snapshot?: string;
  readonly pending?: true;
}

function withReference(use: VolumeUse, drive: Drive, { key, snapshot, pending }: Place): VolumeUse {
  const isUnused = use.is_unused === 1 || key.startsWith("unused");
  const flag = (before: 0 | 1, now: boolean) => (before === 1 || now ? 1 : 0);
  return {
    ...use,
    cdrom: use.cdrom === 1 && isCdrom(drive) ? 1 : 0,
    is_cloudinit: flag(use.is_cloudinit, isCloudInit(drive)),
    replicate: flag(use.replicate, isTrue(drive["replicate"] ?? "1")),
    shared: flag(use.shared, isTrue(drive["shared"])),
    is_unused: isUnused ? 1 : 0,
    is_attached: flag(use.is_attached, !isUnused && snapshot === undefined && pending === undefined),
    is_vmstate: flag(use.is_vmstate, key === "vmstate"),
    is_tpmstate: flag(use.is_tpmstate, key === "tpmstate0"),
    ...(use.size === undefined && isTrue(drive.size) && { size: Number(drive.size) }),
    ...(isDriveSlot(key) && { drivename: key }),
    ...(snapshot !== undefined && {
      referenced_in_snapshot: { ...use.referenced_in_snapshot, [snapshot]: 1 as const },
    }),
    ...(pending && { referenced_in_pending: 1 as const }),
  };
}

function references(section: Section): [key: string, drive: Drive][] {
  const { vmstate } = section;
  return [
    ...drivesOf(section),
    ...(isTrue(vmstate) ? [["vmstate", { file: vmstate }] as [string, Drive]] : []),
    ...unusedDrivesOf(section),
  ];
}

/** `foreach_volid` in qemu-server `src/PVE/QemuServer.pm`: all volumes and other files of drives. */
export function volumesOf({ config, pending, snapshots }: VmConfig): Map<string, VolumeUse> {
  const uses = new Map<string, VolumeUse>();
  const add = (section: Section, place: Omit<Place, "key">) => {
    for (const [key, drive] of references(section)) {
      const before = uses.get(drive.file) ?? unreferenced;
      uses.set(drive.file, withReference(before, drive, { ...place, key }));
    }
  };
  add(config, {});
  add(pending.set, { pending: true });
  for (const [snapshot, section] of Object.entries(snapshots)) {
    add(section, { snapshot });
  }
  return uses;
}
