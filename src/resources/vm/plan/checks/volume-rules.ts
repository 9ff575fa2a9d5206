import { driveFamilies, fileOf, isAllocated, isCdrom } from "../../blocks/drive-slots.ts";
import type { Rule } from "./rule.ts";

const slotFamilies = { ...driveFamilies, efidisk: 0, tpmstate: 0 };

const attributeOf = (slot: string): string[] =>
  slot === "efidisk0" ? ["efi_disk"] : slot === "tpmstate0" ? ["tpm_state"] : ["disks", slot];

/** PVE stores a volume in two slots without a word; two drives then write to the same blocks. */
export const volumeRules: readonly Rule[] = [
  {
    when: "written",
    options: /^((scsi|virtio|sata|ide)\d+|efidisk0|tpmstate0)$/,
    attributes: [],
    find(draft) {
      const slots = draft
        .slots(slotFamilies)
        .filter((slot) => !isCdrom(draft, slot) && isAllocated(fileOf(draft, slot)));
      const byVolume = Map.groupBy(slots, (slot) => fileOf(draft, slot));
      return [...byVolume].flatMap(([volume, [first, ...others]]) =>
        others.map((slot) => ({
          path: [...attributeOf(slot), "volume"],
          detail: `\`${volume}\` is in \`${first}\` already, and a volume can be in one slot only. Choose another volume, or write \`storage\` and \`size\` for a new disk.`,
        })),
      );
    },
  },
];
