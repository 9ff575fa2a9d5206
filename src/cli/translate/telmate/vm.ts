import { machine, snippets, waitForAddress } from "../bpg/vm.ts";
import {
  asText,
  count,
  flag,
  lines,
  mebibytes,
  one,
  raw,
  same,
  sizeText,
  text,
  unlessNull,
  unlessOn,
  words,
} from "../conversions.ts";
import type { Expr, Piece } from "../hcl/expr.ts";
import { Obj } from "../hcl/output.ts";
import { joinPieces, optionPieces } from "../hcl/pieces.ts";
import type { Given, Shape } from "../shape.ts";
import type { Translation } from "../translation.ts";
import { disks, listedDisks } from "./drives.ts";
import { kindsInSlots } from "./slots.ts";

const leave = (translation: Translation, { line, path }: Given, level: "hand" | "left", todo: string): void => {
  translation.out.tail.push(translation.note(level, line, path, todo));
};

/** `order=scsi0;net0`, or letters for kinds of devices. */
function boot(given: Given, translation: Translation): void {
  const { value, put } = given;
  const order = value.string === undefined ? undefined : /^order=(.*)$/.exec(value.string)?.[1];
  if (order !== undefined) put("boot_order", order.split(/[;,]/).filter(Boolean).map(text));
  else if (value.string !== undefined)
    leave(translation, given, "left", "letters name no device; `boot_order` names devices to start from");
  else {
    const list = `split(";", trimprefix(${value.text}, "order="))`;
    put("boot_order", raw(`try(startswith(${value.text}, "order="), false) ? ${list} : null`));
  }
}

/** `order=1,up=30,down=60` */
export function startup(given: Given, translation: Translation): void {
  const options = given.value.string === "" ? new Map() : given.value.pieces && optionPieces(given.value.pieces);
  if (options === undefined) leave(translation, given, "hand", "write `startup = { order = … }`");
  const names = { order: "order", up: "up_delay", down: "down_delay" } as const;
  for (const [name, place] of Object.entries(names)) {
    const pieces = options?.get(name);
    if (pieces !== undefined) given.put(`startup.${place}`, raw(numberOf(pieces)));
  }
}

const numberOf = (pieces: readonly Piece[]): string => joinPieces(pieces).replace(/^"(\d+)"$/, "$1");

/** `ip=192.0.2.11/24,gw=192.0.2.1,ip6=…` */
function ipconfig(given: Given, translation: Translation): void {
  const slot = `net${given.path.slice("ipconfig".length)}`;
  const places = [
    ["ip", "ipv4", "address"],
    ["gw", "ipv4", "gateway"],
    ["ip6", "ipv6", "address"],
    ["gw6", "ipv6", "gateway"],
  ] as const;
  if (given.value.string === "") return;
  const options = given.value.pieces && optionPieces(given.value.pieces);
  const layer = layerOf(translation, slot);
  for (const [name, family, member] of places) {
    const pieces = options?.get(name);
    if (pieces !== undefined) layer.at([family]).set(member, raw(joinPieces(pieces)));
    else if (options === undefined && family === "ipv4")
      layer.at([family]).set(member, raw(`try(regex("(?:^|,)${name}=([^,]+)", ${given.value.text})[0], null)`));
  }
}

function layerOf(translation: Translation, slot: string): Obj {
  const known = translation.layers.get("networks") ?? new Obj();
  translation.layers.set("networks", known);
  return known.at([slot]);
}

/** `vm_state = "stopped"`: everything else is the default here. */
export function power({ value, put }: Given): void {
  const word = value.string;
  if (word === undefined && value.boolean === undefined)
    put("power", raw(`${value.text} == "stopped" ? "stopped" : null`));
  else if (word === "stopped" || value.boolean === false) put("power", text("stopped"));
}

function start({ value, put, around }: Given): void {
  if (value.boolean === undefined) put("power", unlessOn(value, around, text("stopped").text));
  else if (!value.boolean) put("power", text("stopped"));
}

/** `a;b,c d` */
export function tags({ value, put, around }: Given): void {
  if (value.items !== undefined) put("tags", value.raw);
  else if (value.string !== undefined) {
    const names = value.string.split(/[;,\s]+/).filter(Boolean);
    if (names.length > 0) put("tags", names.map(text));
  } else put("tags", unlessNull(value, around, `compact(split(",", replace(${value.text}, ";", ",")))`));
}

/** One of several nodes; the others are places that it may be moved to. */
function nodes(given: Given, translation: Translation): void {
  const [first, ...more] = given.value.items ?? [];
  given.put("node", raw(first ? first.text : `tolist(${given.value.text})[0]`));
  if (more.length > 0 || first === undefined)
    leave(translation, given, "hand", "a VM has one `node`; HA rules say where it may run");
}

/** A value that makes an object, if it is given at all: an empty text says "none". */
const within =
  (name: string, place: string, object: (value: string) => string) =>
  ({ value, put, around }: Given): void => {
    const isEmpty = around.emptyOf?.(value.text) === "text";
    if (value.string === "" || value.isNull) return;
    if (!isEmpty && !around.mayBeNull(value.text)) put(place, value.raw);
    else put(name, raw(`${value.text} == ${isEmpty ? '""' : "null"} ? null : ${object(value.text)}`));
  };

/** `iso = "local:iso/a.iso"` of 2.9. */
const iso = within("cdroms", "cdroms.ide2.file", (value) => `{ ide2 = { file = ${value} } }`);

/** An object without a state would make the guest an HA resource. */
export const hastate = within("ha", "ha.state", (value) => `{ state = ${value} }`);

const flags = (value: Expr) => value.raw;

/** `flags { aes = "on" }` */
function cpuFlags({ value, path, put }: Given, translation: Translation): void {
  const name = path.slice("cpu.flags.".length).replaceAll("_", "-").replace("pbpe1gb", "pdpe1gb");
  const sign = value.string === "on" ? "+" : value.string === "off" ? "-" : undefined;
  if (sign === undefined) return;
  const list = translation.out.entries.get("cpu")?.value;
  const known = list instanceof Obj ? list.entries.get("flags")?.value : undefined;
  const item = text(`${sign}${name}`);
  if (list instanceof Obj && Array.isArray(known)) list.set("flags", [...known, item]);
  else put("cpu.flags", [item]);
}

const flagNames =
  "aes amd_no_ssb amd_ssbd hv_evmcs hv_tlbflush ibpb md_clear pbpe1gb pcid spec_ctrl ssbd virt_ssbd".split(" ");

const numbers = Array.from({ length: 16 }, (_, number) => String(number));

function finish(translation: Translation): void {
  const { out } = translation;
  // Nothing to clone: it would only be an object without a source.
  const clone = out.entries.get("clone")?.value;
  if (clone instanceof Obj && !clone.entries.has("template")) out.entries.delete("clone");
  // A full copy is that provider's default; Proxmox VE links copies of templates.
  else if (clone instanceof Obj && !clone.entries.has("full")) clone.set("full", raw("true"));
  waitForAddress(translation, "2m");
}

const flagOf = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, flag]));

export const vmQemu: Shape = {
  id: "vmid",
  rows: {
    ...Object.fromEntries(numbers.map((number) => [`ipconfig${number}`, "networks"])),
    ...Object.fromEntries(flagNames.map((name) => [`cpu.flags.${name}`, "cpu.flags"])),
  },
  families: {
    network: { into: "networks", key: { attribute: "id", prefix: "net" } },
    serial: {
      into: "serial",
      key: { attribute: "id", prefix: "serial" },
      value: { attribute: "type", otherwise: "socket" },
    },
    usb: { into: "usb", key: { attribute: "id", prefix: "usb" } },
    pci: { into: "pci", key: { attribute: "id", prefix: "hostpci" } },
    hostpci: { into: "pci", key: { prefix: "hostpci" } },
  },
  conversions: {
    balloon: mebibytes,
    memory: mebibytes,
    agent: one,
    clone_id: asText,
    cores: count,
    sockets: count,
    vcpus: count,
    "cpu.vcores": count,
    "cpu.limit": count,
    "cpu.units": count,
    vmid: count,
    hotplug: words(/[,;\s]+/, ","),
    nameserver: words(/[\s,;]+/, " "),
    sshkeys: lines,
    "network.tag": count,
    "network.mtu": count,
    "network.queues": count,
    "startup_shutdown.order": (value, around) =>
      value.number !== undefined && value.number < 0 ? undefined : same(value, around),
    "startup_shutdown.startup_delay": (value, around) =>
      value.number !== undefined && value.number < 0 ? undefined : same(value, around),
    "startup_shutdown.shutdown_timeout": (value, around) =>
      value.number !== undefined && value.number < 0 ? undefined : same(value, around),
    ...flagOf(
      "onboot",
      "start_at_node_boot",
      "full_clone",
      "numa",
      "network.firewall",
      "network.link_down",
      "hostpci.pcie",
      "hostpci.rombar",
      "usb.usb3",
      "tablet",
      "kvm",
    ),
    "disk.size": sizeText,
  },
  handlers: {
    ...Object.fromEntries(numbers.map((number) => [`ipconfig${number}`, ipconfig])),
    ...Object.fromEntries(flagNames.map((name) => [`cpu.flags.${name}`, cpuFlags])),
    boot,
    startup,
    machine,
    tags,
    iso,
    hastate,
    cicustom: snippets,
    cpu: ({ value, put }) => put("cpu.type", flags(value)),
    target_nodes: nodes,
    vm_state: power,
    power_state: power,
    oncreate: start,
  },
  blocks: {
    disks,
    disk: listedDisks,
    pcis: kindsInSlots("pci", (slot) => slot.replace(/^pci/, "hostpci")),
    usbs: kindsInSlots("usb", undefined, (kind, slot, { out }) => {
      if (kind === "spice") out.at(["usb", slot]).set("device", text("spice"));
    }),
  },
  quiet: ["agent_timeout"],
  finish,
  references: [
    [/^default_ipv4_address$/, "ipv4_address"],
    [/^default_ipv6_address$/, "ipv6_address"],
    [/^ssh_host$/, "ipv4_address"],
    [/^network\[(\d+)\]\.macaddr$/, 'mac_addresses["net$1"]'],
    [/^current_node$/, "node"],
  ],
  importId: (value) => value("vmid"),
};
