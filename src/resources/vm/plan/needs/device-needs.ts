import { type ConfigDraft, type Need, pathOfOption } from "#kit";
import { onPath } from "../../../guest/plan/needs/need.ts";
import { attributes } from "../../attributes.ts";
import { vmPrivileges } from "../../privileges.ts";
import { isCardSlot } from "../../slots.ts";

interface Change {
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
}

/** Networks and mapped devices a change connects and disconnects: either takes the right to use them. */
export function deviceNeeds({ before, after }: Change, zones: readonly string[]): Need[] {
  const { set, delete: removed } = after.patch;
  return [...Object.keys(set), ...removed].flatMap((option) => {
    const attribute = pathOfOption(attributes, option);
    return [before, after].flatMap((draft) => (draft.has(option) ? useOf(draft, option, attribute, zones) : []));
  });
}

/** The same for all that a clone takes along. */
export const inheritedNeeds = (source: ConfigDraft, attribute: Need["attribute"], zones: readonly string[]): Need[] =>
  Object.keys(source.config).flatMap((option) => useOf(source, option, attribute, zones));

function useOf(draft: ConfigDraft, option: string, attribute: Need["attribute"], zones: readonly string[]): Need[] {
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

/**
 * A card takes `SDN.Use` on each VLAN it is in, or on the whole bridge (pve-guest-common: src/PVE/GuestHelpers.pm,
 * `check_vnet_access`). Which zone a vnet is in is not told to who may not see it: any zone will do that the caller has
 * rights on.
 */
function networkNeeds(
  draft: ConfigDraft,
  option: string,
  attribute: Need["attribute"],
  zones: readonly string[],
): Need[] {
  const read = (key: string): string => String(draft.read({ option, key }) ?? "");
  const bridge = read("bridge");
  if (bridge === "") return [];
  const isOnHost = /^vmbr\d+$/.test(bridge);
  const trunks = vlansIn(draft.read({ option, key: "trunks" }) as readonly string[] | null);
  const need = (below: string, grantOn?: string): Need => {
    const places = isOnHost ? ["localnetwork"] : ["localnetwork", ...zones];
    const paths = places.map((zone) => `/sdn/zones/${zone}/${bridge}${below}`);
    const place = isOnHost ? grantOn : "/sdn/zones";
    return { ...onPath(vmPrivileges.connect, "", attribute), paths, ...(place && { grantOn: place }) };
  };
  const tagged = read("tag") === "" ? [] : [need(`/${read("tag")}`)];
  const whole = `/sdn/zones/localnetwork/${bridge}`;
  const all = [...tagged, ...trunks.map((vlan) => need(`/${vlan}`, whole))];
  return all.length === 0 ? [need("")] : all;
}

/** Every VLAN of `5` and `10-12`. */
const vlansIn = (trunks: readonly string[] | null): number[] =>
  (trunks ?? []).flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: Math.max(last - first, 0) + 1 }, (_, index) => first + index);
  });
