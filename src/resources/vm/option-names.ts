import { type ConfigDraft, isSlot, pathOfOption } from "#kit";
import { attributes } from "./attributes.ts";
import { isCdrom, isCloudInit, isDataDrive } from "./blocks/drive-slots.ts";
import { families } from "./slots.ts";

/** The attribute of an option of PVE, as users write it. `draft` shows what kind of drive a slot holds. */
function attributeOf(option: string, draft: ConfigDraft): string {
  if (option.startsWith("ipconfig")) return `networks.${option.replace("ipconfig", "net")}`;
  if (isSlot(option, families.disks) && draft.has(option) && isCdrom(draft, option)) {
    return isCloudInit(draft, option) || isDataDrive(draft, option) ? "cloud_init" : `cdroms.${option}`;
  }
  return pathOfOption(attributes, option)?.join(".") ?? option;
}

/** The same for several, each once. */
export const attributesOf = (options: readonly string[], draft: ConfigDraft): string =>
  [...new Set(options.map((option) => `\`${attributeOf(option, draft)}\``))].join(", ");
