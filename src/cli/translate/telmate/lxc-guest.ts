import {
  asText,
  bound,
  type Conversion,
  count,
  lines,
  listOf,
  mebibytes,
  opposite,
  raw,
  same,
  sizeText,
  text,
} from "../conversions.ts";
import { attributeOf, blocksOf } from "../hcl/document.ts";
import { Obj, Raw } from "../hcl/output.ts";
import type { Given, Shape } from "../shape.ts";
import type { Translation } from "../translation.ts";
import { inSlots, kindsInSlots } from "./slots.ts";
import { power } from "./vm.ts";

/** Switches of theirs, and the word that each is in the list here. */
const mountOptions = {
  discard: "discard",
  lazy_time: "lazytime",
  no_atime: "noatime",
  no_device: "nodev",
  no_exec: "noexec",
  no_suid: "nosuid",
} as const;

const fileSystems = { nfs: "nfs", smb: "cifs" } as const;

/** A switch waits in the object, under a name of its own, until all of its like are known. */
const waiting = (word: string): string => `on: ${word}`;

const switchOf =
  (place: string) =>
  ({ value, put }: Given): void =>
    put(place, value.raw);

/** Switches become a list of words. */
function gather(object: Obj, words: readonly string[], list: string): void {
  const items: Raw[] = [];
  for (const word of words) {
    const value = object.entries.get(waiting(word))?.value;
    object.entries.delete(waiting(word));
    if (!(value instanceof Raw) || value.text === "false") continue;
    items.push(value.text === "true" ? text(word) : raw(`${bound(value.text)} == true ? ${text(word).text} : ""`));
  }
  const isPlain = items.every(({ text: item }) => item.startsWith('"'));
  if (items.length > 0)
    object.set(list, isPlain ? items : raw(`compact([${items.map((item) => item.text).join(", ")}])`));
}

const optionsOf = (mount: Obj): void => gather(mount, Object.values(mountOptions), "options");

/** `template { file, storage }` is one volume here. */
function templateVolume(translation: Translation): void {
  const [block] = blocksOf(translation.body, "template");
  if (block === undefined) return;
  const [file, storage] = ["file", "storage"].map((name) => {
    const attribute = attributeOf(block.body, name);
    return attribute && translation.expr(attribute.value);
  });
  const part = (value: typeof file) => value?.string ?? `\${${value?.text}}`;
  translation.out.at(["image"]).set("volume", raw(`"${part(storage)}:vztmpl/${part(file)}"`));
}

/** Theirs is in kilobytes per second, here in megabytes. */
const rate: Conversion = (value) => {
  if (value.number !== undefined) return value.number > 0 ? raw(String(value.number / 1000)) : undefined;
  return value.isNull ? undefined : raw(`${bound(value.text)} / 1000`);
};

const whenOn =
  (word: string): Conversion =>
  (value) => {
    if (value.boolean !== undefined) return value.boolean ? text(word) : undefined;
    return value.isNull ? undefined : raw(`${bound(value.text)} == true ? ${text(word).text} : null`);
  };

export const lxcGuest: Shape = {
  id: "vmid",
  families: {
    network: { into: "networks", key: { attribute: "id", number: "net" } },
    mount: { into: "mounts", key: { attribute: "slot", number: "mp" }, finish: optionsOf },
  },
  conversions: {
    memory: mebibytes,
    swap: mebibytes,
    "clone.id": asText,
    "clone.linked": opposite,
    "dns.searchdomain": listOf,
    ssh_public_keys: lines,
    "root_mount.size": sizeText,
    "mount.size": sizeText,
    "network.connected": opposite,
    "network.vlan_native": count,
    "network.rate_limit": rate,
    "network.host_managed": (value, around) => (value.boolean === false ? undefined : same(value, around)),
    privileged: opposite,
    "network.ipv4.dhcp": whenOn("dhcp"),
    "network.ipv6.dhcp": whenOn("dhcp"),
    "network.ipv6.slaac": whenOn("auto"),
    "network.ipv4_dhcp": whenOn("dhcp"),
    "network.ipv6_dhcp": whenOn("dhcp"),
    "network.slaac": whenOn("auto"),
    "mount.acl": (value, around) => (value.string === "default" ? undefined : same(value, around)),
    guest_id: count,
  },
  handlers: {
    power_state: power,
    ...Object.fromEntries(
      Object.entries(mountOptions).flatMap(([name, word]) => [
        [`mount.option_${name}`, switchOf(`mounts.${waiting(word)}`)],
        [`root_mount.options.${name}`, switchOf(`mounts.rootfs.${waiting(word)}`)],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(fileSystems).map(([name, word]) => [
        `features.privileged.${name}`,
        switchOf(`features.${waiting(word)}`),
      ]),
    ),
  },
  // Defaults that the provider writes.
  absent: {
    clone: { linked: "true" },
    network: { firewall: "true", host_managed: "true" },
  },
  blocks: { mounts: kindsInSlots("mount"), networks: inSlots("network") },
  quiet: ["template.file", "template.storage", "mount.type"],
  finish: (translation) => {
    templateVolume(translation);
    const { out } = translation;
    const at = (...path: string[]) =>
      path.reduce<unknown>((outer, name) => (outer instanceof Obj ? outer.entries.get(name)?.value : undefined), out);
    const [root, features] = [at("mounts", "rootfs"), at("features")];
    if (root instanceof Obj) optionsOf(root);
    if (features instanceof Obj) gather(features, Object.values(fileSystems), "mount");
  },
  importId: (value) => value("vmid"),
};
