import { type ConfigDraft, type Need, pathOfOption } from "#kit";
import { onPath } from "../../../guest/plan/needs/need.ts";
import { networkNeeds, type Zones } from "../../../guest/plan/needs/network-needs.ts";
import { attributes } from "../../attributes.ts";
import { vmPrivileges } from "../../privileges.ts";
import { isCardSlot } from "../../slots.ts";

interface Change {
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
}

/** Networks and mapped devices that a change connects or disconnects: both require the privilege to use them. */
export function deviceNeeds({ before, after }: Change, zones: Zones): Need[] {
  const { set, delete: removed } = after.patch;
  return [...Object.keys(set), ...removed].flatMap((option) => {
    const attribute = pathOfOption(attributes, option);
    return [before, after].flatMap((draft) => (draft.has(option) ? useOf(draft, option, attribute, zones) : []));
  });
}

/** The same for all devices that a clone inherits. */
export const inheritedNeeds = (source: ConfigDraft, attribute: Need["attribute"], zones: Zones): Need[] =>
  Object.keys(source.config).flatMap((option) => useOf(source, option, attribute, zones));

function useOf(draft: ConfigDraft, option: string, attribute: Need["attribute"], zones: Zones): Need[] {
  if (isCardSlot(option)) return networkNeeds(draft, option, attribute, zones);
  const mapping = mappingOf(draft, option);
  return mapping === null ? [] : [onPath(vmPrivileges.mapDevice, `/mapping/${mapping}`, attribute)];
}

/** qemu-server: src/PVE/API2/Qemu.pm, `check_mapping_access` and `assert_cpu_model_access`. */
function mappingOf(draft: ConfigDraft, option: string): string | null {
  const read = (key: string): string => String(draft.read({ option, key }) ?? "");
  if (/^usb\d+$/.test(option)) return read("mapping") && `usb/${read("mapping")}`;
  if (/^hostpci\d+$/.test(option)) return read("mapping") && `pci/${read("mapping")}`;
  if (/^virtiofs\d+$/.test(option)) return `dir/${read("dirid")}`;
  if (option === "rng0") return read("source") === "/dev/hwrng" ? "hwrng" : null;
  const [, model] = (option === "cpu" && /^custom-(.+)$/.exec(read("cputype"))) || [];
  return model === undefined ? null : `cpu/${model}`;
}
