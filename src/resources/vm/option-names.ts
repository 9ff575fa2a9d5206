import { type ConfigDraft, isSlot, pathOfOption } from "#kit";
import { attributes } from "./attributes.ts";
import { isCdrom, isCloudInit, isDataDrive } from "./blocks/drive-slots.ts";
import { families } from "./slots.ts";

/** The attribute of an option of PVE, as users write it. The first draft that has a slot shows what kind of drive it holds. */
function attributeOf(option: string, drafts: readonly ConfigDraft[]): string {
  if (option.startsWith("ipconfig")) return `networks.${option.replace("ipconfig", "net")}`;
  const draft = isSlot(option, families.disks) && drafts.find((one) => one.has(option));
  if (draft && isCdrom(draft, option)) {
    return isCloudInit(draft, option) || isDataDrive(draft, option) ? "cloud_init" : `cdroms.${option}`;
  }
  return pathOfOption(attributes, option)?.join(".") ?? option;
}

/** The same for several, each once. */
export const attributesOf = (options: readonly string[], ...drafts: readonly ConfigDraft[]): string =>
  [...new Set(options.map((option) => `\`${attributeOf(option, drafts)}\``))].join(", ");
