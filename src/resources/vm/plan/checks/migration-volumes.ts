import type { ConfigDraft, Session } from "#kit";
import type { GuestAddress } from "#pve";
import { volumesOn } from "../../../guest/plan/checks/facts.ts";
import { ownerOf, storageOf } from "../../../guest/volume.ts";
import { fileOf, isCdrom } from "../../blocks/drive-slots.ts";
import { families } from "../../slots.ts";

export interface Move {
  readonly vm: GuestAddress;
  readonly draft: ConfigDraft;
  readonly isTemplate: boolean;
  /** Types of the storages that are not shared. */
  readonly local: ReadonlyMap<string, string | undefined>;
}

/** What keeps volumes that only its node has from moving with a VM, beside snapshots (qemu-server: src/PVE/QemuMigrate.pm, `scan_local_volumes`). */
export async function keptVolumes(api: Session, move: Move): Promise<string[]> {
  return [...foreign(move), ...(await neededByClones(api, move))];
}

const typeOf = ({ local }: Move, volume: string): string | undefined => local.get(storageOf(volume) ?? "");

/** Volumes of the VM on storages of the node alone, by slot. */
function localVolumes(move: Move): { readonly slot: string; readonly volume: string }[] {
  const { draft } = move;
  return draft
    .slots({ ...families.volumes, ...families.unused })
    .filter((slot) => !isCdrom(draft, slot))
    .map((slot) => ({ slot, volume: fileOf(draft, slot) }))
    .filter(({ volume }) => typeOf(move, volume) !== undefined);
}

function foreign(move: Move): string[] {
  return localVolumes(move)
    .filter(({ volume }) => ![null, move.vm.vmid].includes(ownerOf(volume)))
    .map(({ slot, volume }) => `\`${slot}\` is \`${volume}\`, a volume of another VM. Detach it first.`);
}

/** Names of some storages tell which base image a linked clone has. */
async function neededByClones(api: Session, move: Move): Promise<string[]> {
  if (!move.isTemplate) return [];
  const found = await Promise.all(
    localVolumes(move).map(async ({ slot, volume }) => {
      const storage = storageOf(volume) ?? "";
      const volumes = await volumesOn(api, move.vm.node, storage, "images");
      const isUsed = volumes?.some(({ volid }) => volid.startsWith(`${volume}/`));
      return isUsed ? [`Linked clones need \`${volume}\`, in \`${slot}\`. Make full copies of them first.`] : [];
    }),
  );
  return found.flat();
}
