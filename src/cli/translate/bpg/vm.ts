import {
  asText,
  count,
  gibibytes,
  isWord,
  listOf,
  mebibytes,
  obj,
  raw,
  text,
  unlessOn,
  words,
} from "../conversions.ts";
import type { Fields } from "../fields.ts";
import { blocksOf } from "../hcl/document.ts";
import { Obj, print, Raw } from "../hcl/output.ts";
import { joinPieces, optionPieces } from "../hcl/pieces.ts";
import type { Given, Shape } from "../shape.ts";
import type { Translation } from "../translation.ts";

const slots = (attribute: string, otherwise?: string) => ({
  key: otherwise === undefined ? { attribute } : { attribute, otherwise },
});

/** `q35` or `q35,viommu=intel`. */
export function machine({ value, put }: Given): void {
  const [type, ...options] = value.string?.split(",") ?? [];
  if (type === undefined) put("machine", obj({ type: value.raw }));
  else {
    const { viommu } = Object.fromEntries(options.map((option) => option.split("=")));
    put("machine", obj({ type: text(type.replace(/^type=/, "")), viommu: viommu ? text(viommu) : undefined }));
  }
}

/** `started = false` keeps a VM stopped; a template is never started anyway. */
export function started({ value, put, around }: Given, translation: Translation): void {
  if (value.boolean === true || translation.given("template")?.boolean === true) return;
  if (value.boolean === false) put("power", text("stopped"));
  else put("power", unlessOn(value, around, text("stopped").text));
}

/** `10;20` */
const trunks = words(/[;,]/, ";");

/** What is not said about addresses is only known after waiting for it. */
export function waitForAddress(translation: Translation, wait: string): void {
  const { around, address } = translation.setting;
  const agent = translation.out.entries.get("agent")?.value;
  const networks = translation.out.entries.get("networks")?.value;
  const isFixed =
    networks !== undefined && /address/.test(print(networks, "")) && !/dhcp|auto/.test(print(networks, ""));
  if (around.usesAddressOf?.(address) !== true || !(agent instanceof Obj) || isFixed) return;
  if (!agent.entries.has("wait")) agent.set("wait", text(wait));
}

/** Settings that disks of a bus do not have: the other provider does not send them. */
const foreignTo = { ssd: /^virtio/, iothread: /^(ide|sata)/ } as const;

function withoutOtherBus(disk: Obj, slot: string, { attributes }: Fields, translation: Translation): void {
  for (const [name, buses] of Object.entries(foreignTo)) {
    const given = attributes.find((one) => one.name === name);
    if (given === undefined || !buses.test(slot) || !disk.entries.delete(name) || given.value.boolean === false)
      continue;
    disk.tail.push(translation.note("left", given.line, `disk.${name}`, `disks such as \`${slot}\` do not have it`));
  }
}

/** A host device has a path and no storage; other volumes are on one. */
function volumes(translation: Translation): void {
  const disks = translation.out.entries.get("disks")?.value;
  if (!(disks instanceof Obj)) return;
  const isClone =
    blocksOf(translation.body, "clone").length > 0 ||
    translation.body.items.some(
      (item) => item.kind === "block" && item.type === "dynamic" && item.labels[0] === "clone",
    );
  for (const [slot, entry] of disks.entries) {
    const disk = entry.value;
    if (!(disk instanceof Obj)) continue;
    const [storage, volume] = ["storage", "volume"].map((name) => {
      const value = disk.entries.get(name)?.value;
      return value instanceof Raw ? value.text : undefined;
    });
    if (volume !== undefined && storage !== undefined) {
      if (storage === '""') disk.entries.delete("storage");
      else disk.set("volume", raw(`"\${${storage}}:\${${volume}}"`));
    } else if (storage === undefined && volume === undefined && !isClone) disk.set("storage", text("local-lvm"));
    const isNew = !isClone && !["size", "import_from", "volume"].some((name) => disk.entries.has(name));
    if (isNew && slot !== "") disk.set("size", text("8G"));
  }
}

const defaultStorage = (translation: Translation, name: string): void => {
  const object = translation.out.entries.get(name)?.value;
  if (object instanceof Obj && !object.entries.has("storage")) object.set("storage", text("local-lvm"));
};

function finish(translation: Translation): void {
  volumes(translation);
  for (const name of ["efi_disk", "tpm_state"]) defaultStorage(translation, name);
  if (!translation.out.entries.has("on_boot")) translation.out.set("on_boot", raw("true"));
  waitForAddress(translation, "15m");
}

const behaviour = "it is what the other provider does; here a change in place, so add it after the move if you need it";

const left =
  (todo: string) =>
  ({ line, path, value }: Given, translation: Translation): void => {
    if (value.boolean !== false || path === "purge_on_destroy") {
      if (path === "purge_on_destroy" && value.boolean === true) return;
      translation.out.tail.push(translation.note("left", line, path, todo));
    }
  };

const timeouts = Object.fromEntries(
  "clone create migrate move_disk reboot shutdown_vm start_vm stop_vm"
    .split(" ")
    .map((name) => [
      `timeout_${name}`,
      left("the operations have timeouts of their own: see `timeouts` and `shutdown`"),
    ]),
);

/** Copies are full ones unless it is said otherwise; Proxmox VE links those of templates. */
export const fullClone = { full: "true" } as const;

/** Addresses of each network card that fulfil a condition. */
const addressesOf = (vm: string, condition: string): string =>
  `[for all in ${vm}.ip_addresses : [for one in all : one if ${condition}]]`;

export const vm: Shape = {
  id: "vmid",
  rows: {
    ...Object.fromEntries(
      "bridge firewall model mtu queues rate_limit trunks"
        .split(" ")
        .map((name) => [`network_device.${name}`, `networks.${name}`]),
    ),
    "network_device.mac_address": "networks.mac",
    "network_device.vlan_id": "networks.vlan",
    "network_device.disconnected": "networks.link_down",
    "initialization.dns.server": "cloud_init.dns_servers",
  },
  families: {
    disk: { into: "disks", ...slots("interface"), finish: withoutOtherBus },
    cdrom: { into: "cdroms", ...slots("interface", "ide3") },
    hostpci: { into: "pci", ...slots("device") },
    numa: { into: "numa_nodes", ...slots("device") },
    network_device: { into: "networks", key: { prefix: "net" } },
    "initialization.ip_config": { into: "networks", key: { prefix: "net" }, isLayer: true },
    serial_device: { into: "serial", key: { prefix: "serial" }, value: { attribute: "device", otherwise: "socket" } },
    usb: { into: "usb", key: { prefix: "usb" } },
    virtiofs: { into: "virtiofs", key: { prefix: "virtiofs" } },
  },
  switches: ["audio_device.enabled", "watchdog.enabled", "cdrom.enabled", "network_device.enabled"],
  conversions: {
    "clone.vm_id": asText,
    "cpu.hotplugged": count,
    "memory.dedicated": mebibytes,
    "memory.floating": mebibytes,
    "memory.shared": count,
    "disk.size": gibibytes,
    "disk.discard": isWord("on"),
    "network_device.vlan_id": count,
    "network_device.trunks": trunks,
    "network_device.rate_limit": count,
    "network_device.mtu": count,
    "network_device.queues": count,
    "numa.cpus": words(/[;,]/, ";"),
    "numa.hostnodes": words(/[;,]/, ";"),
    "numa.memory": mebibytes,
    "initialization.dns.server": listOf,
    hotplug: words(/[,;\s]+/, ","),
    vm_id: count,
  },
  quiet: ["mac_addresses", "agent.timeout", "clone.node_name", "initialization.file_format"],
  handlers: {
    "disk.file_id": ({ value, put, line, path }, translation) => {
      const todo =
        "the image must be of the content `import`, with a name such as `x.qcow2`: change its `proxmox_download` if it is `iso`";
      const isImport = /:import\//.test(value.string ?? "");
      if (!isImport) translation.out.tail.push(translation.note("hand", line, path, todo));
      put("disks.import_from", value.raw);
    },
    machine,
    started,
    ...timeouts,
    stop_on_destroy: left(
      'a guest that does not shut down within 30s is stopped; `destroy = { grace = "0s" }` does so at once',
    ),
    migrate: left('a changed `node` moves the VM where `placement = "enforce"` is set'),
    reboot: left("the action `proxmox_vm_reboot`, or Reboot in the web interface, restarts the VM"),
    reboot_after_update: left("`restart_policy` says what happens to changes that require a restart"),
    purge_on_destroy: left(behaviour),
    delete_unreferenced_disks_on_destroy: left(behaviour),
  },
  absent: { clone: fullClone, network_device: { bridge: text("vmbr0").text } },
  finish,
  references: [
    [/^ipv4_addresses\[1\]\[0\]$/, "ipv4_address"],
    [/^ipv6_addresses\[1\]\[0\]$/, "ipv6_address"],
    [/^ipv4_addresses\[1\]$/, 'ip_addresses["net0"]'],
    [/^ipv4_addresses\[2\]/, 'ip_addresses["net1"]'],
    [/^ipv4_addresses\[3\]/, 'ip_addresses["net2"]'],
    [/^mac_addresses\[(\d+)\]$/, 'mac_addresses["net$1"]'],
    [/^network_device\[(\d+)\]\.mac_address$/, 'mac_addresses["net$1"]'],
    [/^network_device\[(\d+)\]\.bridge$/, 'networks["net$1"].bridge'],
    [/^initialization\[0\]\.ip_config\[(\d+)\]\.(ipv[46])\[0\]\.(address|gateway)$/, 'networks["net$1"].$2.$3'],
  ],
  lists: {
    ipv4_addresses: (vm) => `concat([["127.0.0.1"]], ${addressesOf(vm, '!strcontains(one, ":")')})`,
    ipv6_addresses: (vm) => `concat([["::1"]], ${addressesOf(vm, 'strcontains(one, ":")')})`,
    mac_addresses: (vm) => `values(${vm}.mac_addresses)`,
  },
  importId: (value) => value("vmid"),
};

/** The newer types: maps keyed by slot, as here. */
export const slotVm: Shape = {
  id: "vmid",
  families: {
    disk: { into: "disks", key: "map", finish: withoutOtherBus },
    network: { into: "networks", key: "map" },
    cdrom: { into: "cdroms", key: "map" },
  },
  conversions: {
    "clone.source_vm_id": asText,
    "disk.size_gb": gibibytes,
    "disk.discard": isWord("on"),
    "memory.size": mebibytes,
    "memory.balloon": mebibytes,
    "network.tag": count,
  },
  absent: { clone: fullClone },
  handlers: {
    started,
    stop_on_destroy: vm.handlers?.["stop_on_destroy"] as NonNullable<Shape["handlers"]>[string],
    purge_on_destroy: left(behaviour),
    delete_unreferenced_disks_on_destroy: left(behaviour),
  },
  importId: (value) => value("vmid"),
};

/** `user=local:snippets/u.yaml,network=…` */
export function snippets({ value, put, line, path }: Given, translation: Translation): void {
  const options = value.pieces && optionPieces(value.pieces);
  if (options === undefined) {
    translation.out.tail.push(
      translation.note("hand", line, path, "write `cloud_init.snippets` or `cloud_init.user_data`"),
    );
    return;
  }
  for (const [name, pieces] of options) put(`cloud_init.snippets.${name}`, raw(joinPieces(pieces)));
}
