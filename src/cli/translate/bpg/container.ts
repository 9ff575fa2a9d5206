import { asText, count, gibibytes, listOf, mebibytes, opposite, raw, sizeText, text } from "../conversions.ts";
import { Obj, Raw } from "../hcl/output.ts";
import type { Given, Shape } from "../shape.ts";
import type { Translation } from "../translation.ts";
import { fullClone, started } from "./vm.ts";

/** `volume` of a mount is a storage, with a new volume, an existing volume, or a folder of the host. */
function place(mount: Obj): void {
  const volume = mount.entries.get("volume")?.value;
  if (!(volume instanceof Raw) || mount.entries.has("host_path")) return;
  const isHost = volume.text.startsWith('"/');
  const isVolume = /^"[^"]*:/.test(volume.text);
  if (isHost || (!isVolume && (/^"[^"/]+"$/.test(volume.text) || mount.entries.has("size")))) {
    mount.entries.delete("volume");
    mount.set(isHost ? "host_path" : "storage", volume);
  }
}

/** Only the value of an expression says which of the three it is. */
function volume({ value, put }: Given): void {
  const { string, text: given } = value;
  if (string !== undefined || value.pieces !== undefined) {
    put("mounts.volume", value.raw);
    return;
  }
  put("mounts.storage", raw(`startswith(${given}, "/") || strcontains(${given}, ":") ? null : ${given}`));
  put("mounts.host_path", raw(`startswith(${given}, "/") ? ${given} : null`));
  put("mounts.volume", raw(`!startswith(${given}, "/") && strcontains(${given}, ":") ? ${given} : null`));
}

function finish(translation: Translation): void {
  const { out, body } = translation;
  const isClone = body.items.some((item) => item.kind === "block" && [item.type, item.labels[0]].includes("clone"));
  const mounts = out.entries.get("mounts")?.value;
  const known = mounts instanceof Obj ? mounts.entries.get("rootfs")?.value : undefined;
  // bpg's own defaults.
  const root =
    known ?? (isClone || (mounts !== undefined && !(mounts instanceof Obj)) ? undefined : out.at(["mounts", "rootfs"]));
  if (root instanceof Obj && root.more.length === 0) {
    if (!root.entries.has("storage")) root.set("storage", text("local"));
    if (!isClone && !root.entries.has("size")) root.set("size", text("4G"));
  }
  if (!translation.out.entries.has("on_boot")) translation.out.set("on_boot", raw("true"));
}

const left =
  (todo: string) =>
  ({ line, path }: Given, translation: Translation): void => {
    translation.out.tail.push(translation.note("left", line, path, todo));
  };

const timeouts = Object.fromEntries(
  "clone create delete start update"
    .split(" ")
    .map((name) => [`timeout_${name}`, left("the operations have timeouts of their own: see `timeouts`")]),
);

export const container: Shape = {
  id: "vmid",
  families: {
    disk: { into: "mounts", key: { attribute: "", otherwise: "rootfs" } },
    mount_point: { into: "mounts", key: { prefix: "mp" }, finish: place },
    device_passthrough: { into: "devices", key: { prefix: "dev" } },
    network_interface: { into: "networks", key: { prefix: "net" } },
    "initialization.ip_config": { into: "networks", key: { prefix: "net" }, isLayer: true },
  },
  conversions: {
    "clone.vm_id": asText,
    "disk.size": gibibytes,
    "mount_point.size": sizeText,
    "memory.dedicated": mebibytes,
    "memory.swap": mebibytes,
    "initialization.dns.server": listOf,
    "initialization.dns.domain": listOf,
    "network_interface.enabled": opposite,
    "network_interface.vlan_id": count,
    vm_id: count,
  },
  absent: { clone: fullClone, network_interface: { bridge: text("vmbr0").text } },
  quiet: ["clone.node_name"],
  handlers: { started, ...timeouts, "mount_point.volume": volume },
  finish,
  references: [
    [/^ipv4\["?(eth\d|[a-z]\w*)"?\]$/, "ipv4_address"],
    [/^ipv6\["?(eth\d|[a-z]\w*)"?\]$/, "ipv6_address"],
    [/^initialization\[0\]\.hostname$/, "name"],
    [/^initialization\[0\]\.ip_config\[(\d+)\]\.(ipv[46])\[0\]\.(address|gateway)$/, 'networks["net$1"].$2.$3'],
    [/^network_interface\[(\d+)\]\.mac_address$/, 'mac_addresses["net$1"]'],
  ],
  importId: (value) => value("vmid"),
};
