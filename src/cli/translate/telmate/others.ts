import {
  asText,
  checksum,
  count,
  flag,
  lines,
  listOf,
  mebibytes,
  obj,
  sizeText,
  text,
  unlessOn,
  words,
} from "../conversions.ts";
import { Obj } from "../hcl/output.ts";
import type { Given, Shape } from "../shape.ts";
import type { Translation } from "../translation.ts";
import { lxcGuest } from "./lxc-guest.ts";
import { hastate, startup, tags, vmQemu } from "./vm.ts";

/** `start` counts when a container is created. What runs now was often started later, and must not be stopped. */
function start({ value, put, around, line, path }: Given, translation: Translation): void {
  const todo = 'a container is started when it is created; `power = "stopped"` keeps it stopped';
  if (value.boolean === false) translation.out.tail.push(translation.note("left", line, path, todo));
  else if (value.boolean === undefined) put("power", unlessOn(value, around, text("stopped").text));
}

/** A folder of the host has neither a storage nor a size. */
function bound(mount: Obj): void {
  if (mount.entries.has("host_path")) for (const name of ["size", "storage", "volume"]) mount.entries.delete(name);
}

function finishLxc({ out }: Translation): void {
  const clone = out.entries.get("clone")?.value;
  if (clone instanceof Obj && !clone.entries.has("template")) out.entries.delete("clone");
  const mounts = out.entries.get("mounts")?.value;
  const hasRoot = mounts !== undefined && !(mounts instanceof Obj && !mounts.entries.has("rootfs"));
  // What Proxmox VE makes where nothing is said.
  if (!out.entries.has("clone") && !hasRoot)
    out.at(["mounts"]).set("rootfs", obj({ storage: text("local"), size: text("4G") }));
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
    mountpoint: { into: "mounts", key: { attribute: "slot", prefix: "mp" }, finish: bound },
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

const iso: Shape = {
  id: "volume_id",
  handlers: {
    checksum: ({ value, around, put }, translation) => {
      const sum = checksum(value, translation.given("checksum_algorithm"), around);
      if (sum !== undefined) put("checksum", sum);
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
