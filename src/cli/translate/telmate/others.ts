import {
  asText,
  count,
  flag,
  lines,
  listOf,
  mebibytes,
  opposite,
  raw,
  same,
  sizeText,
  text,
  unlessOn,
  words,
} from "../conversions.ts";
import { blocksOf } from "../hcl/document.ts";
import { Obj } from "../hcl/output.ts";
import type { Given, Shape } from "../shape.ts";
import type { Translation } from "../translation.ts";
import { hastate, power, startup, tags, vmQemu } from "./vm.ts";

/** `start` counts when a container is created. What runs now was often started later, and must not be stopped. */
function start({ value, put, around, line, path }: Given, translation: Translation): void {
  const todo = 'a container is started when it is created; `power = "stopped"` keeps it stopped';
  if (value.boolean === false) translation.out.tail.push(translation.note("left", line, path, todo));
  else if (value.boolean === undefined) put("power", unlessOn(value, around, text("stopped").text));
}

function finishLxc({ out }: Translation): void {
  const clone = out.entries.get("clone")?.value;
  if (clone instanceof Obj && !clone.entries.has("template")) out.entries.delete("clone");
}

const address =
  (family: "ipv4" | "ipv6") =>
  ({ value, put }: Given): void => {
    if (value.string !== "") put(`networks.${family}.address`, value.raw);
  };

const lxc: Shape = {
  id: "vmid",
  families: {
    network: { into: "networks", key: { prefix: "net" } },
    mountpoint: { into: "mounts", key: { attribute: "slot", prefix: "mp" } },
  },
  conversions: {
    memory: mebibytes,
    swap: mebibytes,
    clone: asText,
    nameserver: words(/[\s,;]+/, " "),
    searchdomain: listOf,
    ssh_public_keys: lines,
    "rootfs.size": sizeText,
    "mountpoint.size": sizeText,
    "network.tag": count,
    "network.trunks": words(/[;,]/, ";"),
    "features.mount": words(/[;,]/, ";"),
    vmid: count,
    onboot: flag,
    unprivileged: flag,
  },
  handlers: {
    start,
    startup,
    tags,
    hastate,
    "network.ip": address("ipv4"),
    "network.ip6": address("ipv6"),
    "mountpoint.volume": ({ value, put }) =>
      put(value.string?.startsWith("/") ? "mounts.host_path" : "mounts.volume", value.raw),
    "mountpoint.storage": ({ value, put }) =>
      put(value.string?.startsWith("/") ? "mounts.host_path" : "mounts.storage", value.raw),
  },
  quiet: ["mountpoint.key"],
  finish: finishLxc,
  references: [
    [/^network\[(\d+)\]\.hwaddr$/, 'mac_addresses["net$1"]'],
    [/^network\[(\d+)\]\.ip$/, 'networks["net$1"].ipv4.address'],
  ],
  importId: (value) => value("vmid"),
};

/** `template { file, storage }` is one volume here. */
function templateVolume(translation: Translation): void {
  const [block] = blocksOf(translation.body, "template");
  if (block === undefined) return;
  const [file, storage] = ["file", "storage"].map((name) => {
    const item = block.body.items.find((one) => one.kind === "attribute" && one.name === name);
    return item?.kind === "attribute" ? translation.expr(item.value) : undefined;
  });
  const part = (value: typeof file) => value?.string ?? `\${${value?.text}}`;
  translation.out.at(["image"]).set("volume", raw(`"${part(storage)}:vztmpl/${part(file)}"`));
}

const lxcGuest: Shape = {
  id: "vmid",
  families: {
    network: { into: "networks", key: { attribute: "id", prefix: "" } },
    mount: { into: "mounts", key: { attribute: "slot" } },
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
    privileged: opposite,
    "network.ipv4.dhcp": (value) => (value.boolean === true ? text("dhcp") : undefined),
    "network.ipv6.dhcp": (value) => (value.boolean === true ? text("dhcp") : undefined),
    "network.ipv6.slaac": (value) => (value.boolean === true ? text("auto") : undefined),
    "mount.acl": (value, around) => (value.string === "default" ? undefined : same(value, around)),
    guest_id: count,
  },
  handlers: { power_state: power },
  quiet: ["template.file", "template.storage"],
  finish: templateVolume,
  importId: (value) => value("vmid"),
};

const iso: Shape = {
  id: "volume_id",
  handlers: {
    checksum: (given, translation) => {
      const algorithm = translation.given("checksum_algorithm");
      const name = algorithm?.string ?? (algorithm ? `\${${algorithm.text}}` : "sha256");
      given.put("checksum", raw(`"${name}:${given.value.string ?? `\${${given.value.text}}`}"`));
    },
  },
  quiet: ["checksum_algorithm"],
  finish: ({ out }) => out.set("content", text("iso")),
};

export const telmateShapes: Readonly<Record<string, Shape>> = {
  vm_qemu: vmQemu,
  lxc,
  lxc_guest: lxcGuest,
  pool: { id: "id", importId: (value) => value("id") },
  storage_iso: iso,
};
