import { fileOf, isAllocated, isCdrom } from "../../blocks/drive-slots.ts";
import { families, optionPattern, pathOfVolume } from "../../slots.ts";
import type { Rule } from "./rule.ts";

/** PVE stores a volume in two slots without a word; two drives then write to the same blocks. */
export const volumeRules: readonly Rule[] = [
  {
    when: "written",
    options: optionPattern(families.volumes),
    attributes: [],
    find(draft) {
      const slots = draft
        .slots(families.volumes)
        .filter((slot) => !isCdrom(draft, slot) && isAllocated(fileOf(draft, slot)));
      const byVolume = Map.groupBy(slots, (slot) => fileOf(draft, slot));
      return [...byVolume].flatMap(([volume, [first, ...others]]) =>
        others.map((slot) => ({
          path: [...pathOfVolume(slot), "volume"],
          detail: `\`${volume}\` is in \`${first}\` already, and a volume can be in one slot only. Choose another volume, or write \`storage\` and \`size\` for a new disk.`,
        })),
      );
    },
  },
];
