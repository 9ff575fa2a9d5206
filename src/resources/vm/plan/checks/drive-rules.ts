import { isAllocated } from "../../../guest/volume.ts";
import { fileOf, isCdrom } from "../../blocks/drive-slots.ts";
import { families, optionPattern, pathOfVolume } from "../../slots.ts";
import type { Rule } from "./rule.ts";

/** Which limit needs which other one, by their keys and their attributes. */
const bursts = [
  ["", ""],
  ["_rd", "_read"],
  ["_wr", "_write"],
].flatMap(([key, name]) =>
  (["mbps", "iops"] as const).flatMap((kind) => [
    { key: `${kind}${key}_max`, name: `${kind}${name}_burst`, needs: `${kind}${key}`, needed: `${kind}${name}` },
    {
      key: `${kind === "mbps" ? "bps" : kind}${key}_max_length`,
      name: `${kind}${name}_burst_seconds`,
      needs: `${kind}${key}_max`,
      needed: `${kind}${name}_burst`,
    },
  ]),
);

/** Server side: qemu-server `src/PVE/QemuServer/Drive.pm`, `parse_drive`. */
export const driveRules: readonly Rule[] = [
  {
    // PVE stores a volume in two slots without a word; two drives then write to the same blocks.
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
  {
    // PVE refuses the line as a whole ("unable to parse drive options"), or QEMU refuses to start.
    when: "written",
    options: optionPattern(families.disks),
    attributes: [],
    find(draft) {
      const limit = (option: string, key: string) => Number(draft.read({ option, key }) ?? 0);
      return draft.slots(families.disks).flatMap((slot) =>
        bursts
          .filter(({ key, needs }) => limit(slot, key) > 0 && limit(slot, needs) === 0)
          .map(({ name, needed }) => ({
            path: ["disks", slot, "limits", name],
            decidedBy: ["disks", slot, "limits", needed],
            detail: `\`${name}\` needs \`${needed}\` beside it. Set \`${needed}\`, or leave \`${name}\` out.`,
          })),
      );
    },
  },
];
