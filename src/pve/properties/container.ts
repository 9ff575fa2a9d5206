import { containerSlotLimits } from "../slots.ts";
import { decimal, flag, integer, list, text, word } from "./fields.ts";
import { nameserver, tags } from "./list-string.ts";
import { startup } from "./machine.ts";
import { propertyString } from "./property-string.ts";

// Server side: pve-container `src/PVE/LXC/Config.pm`.

const volume = {
  /** A volume id, a directory or a device of the host; in requests also `<storage>:<GiB>`. */
  volume: text(),
  acl: flag(),
  /** `passthrough`, or entries such as `u:0:100000:1`. */
  idmap: list(),
  mountoptions: list(),
  quota: flag(),
  replicate: flag(),
  ro: flag(),
  shared: flag(),
  /** Informational, PVE computes it. */
  size: text(),
};

const rootfs = propertyString({ defaultKey: "volume", fields: volume });

const mp = propertyString({
  defaultKey: "volume",
  fields: { ...volume, backup: flag(), keepattrs: flag(), /** The path in the container. */ mp: text() },
});

/** A network device. A line without a MAC address gets a *new* one on every write, so keep the one that was read. */
const net = propertyString({
  fields: {
    name: text(),
    bridge: text(),
    firewall: flag(),
    gw: text(),
    gw6: text(),
    "host-managed": flag(),
    hwaddr: text(),
    ip: text(),
    ip6: text(),
    link_down: flag(),
    mtu: integer(),
    /** MB/s. */
    rate: decimal(),
    /** VLAN. */
    tag: integer(),
    trunks: list(),
    type: word("veth"),
  },
});

const dev = propertyString({
  defaultKey: "path",
  fields: { path: text(), "deny-write": flag(), gid: integer(), mode: text(), uid: integer() },
});

const features = propertyString({
  fields: {
    force_rw_sys: flag(),
    fuse: flag(),
    keyctl: flag(),
    mknod: flag(),
    /** Types of file systems. */
    mount: list(),
    nesting: flag(),
  },
});

const unused = propertyString({ defaultKey: "volume", fields: { volume: text() } });

/** Codec of every packed option of a container, by its name without the number. */
export const containerCodecs = {
  dev,
  features,
  mp,
  nameserver,
  net,
  rootfs,
  searchdomain: nameserver,
  startup,
  tags,
  unused,
} as const;

export type PackedContainerOption = keyof typeof containerCodecs;

/** The codec that reads the option of a container; null where the value is plain. */
export function containerCodecOf(key: string): (typeof containerCodecs)[PackedContainerOption] | null {
  const [, family = key, digits] = /^([a-z]+)(0|[1-9]\d*)$/.exec(key) ?? [];
  const highest = Object.hasOwn(containerSlotLimits, family)
    ? containerSlotLimits[family as keyof typeof containerSlotLimits]
    : undefined;
  const isSlot = digits !== undefined && highest !== undefined && Number(digits) <= highest;
  const isPlain = digits !== undefined ? !isSlot : highest !== undefined;
  return !isPlain && Object.hasOwn(containerCodecs, family) ? containerCodecs[family as PackedContainerOption] : null;
}
