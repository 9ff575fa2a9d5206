import type { LegacyState } from "#kit";
import { linesOf, mebibytes, telmateStartup, vmidIn } from "../../guest/moves.ts";
import {
  type ContainerPart,
  ifSet,
  type MountPart,
  moveFrom,
  type NetworkPart,
  switchedOn,
  volumeParts,
} from "./move.ts";

/** States of Telmate's provider, as of 3.0.2: the older type, and the one that follows it. */
export const telmateMoves = [
  moveFrom("telmate/proxmox", "proxmox_lxc", lxc),
  moveFrom("telmate/proxmox", "proxmox_lxc_guest", guest),
];

/** What both say in the same words. Passwords stay behind. */
const common = (state: LegacyState): ContainerPart => ({
  node: state.text("target_node") ?? state.text("current_node") ?? state.text("id")?.split("/")[0],
  pool: state.text("pool"),
  description: state.text("description")?.trimEnd(),
  memory: { size: mebibytes(state.count("memory")), swap: mebibytes(state.number("swap")) },
  ssh_keys: linesOf(state.text("ssh_public_keys")),
  startup: telmateStartup(state),
});

function lxc(state: LegacyState): ContainerPart {
  const [root] = state.blocks("rootfs");
  const template = state.text("clone");
  const features = state.block("features");
  return {
    ...common(state),
    vmid: state.count("vmid") ?? vmidIn(state.text("id")),
    clone: template ? { template, full: state.flag("full"), storage: state.text("clone_storage") } : undefined,
    image: { volume: state.flag("restore") ? undefined : state.text("ostemplate") },
    name: state.text("hostname"),
    tags: state.text("tags")?.split(/[;,\s]+/),
    template: state.flag("template"),
    protection: state.flag("protection"),
    on_boot: state.flag("onboot"),
    hook_script: state.text("hookscript"),
    unprivileged: template ? undefined : state.flag("unprivileged"),
    architecture: state.text("arch"),
    os_type: state.text("ostype"),
    cpu: { cores: state.count("cores"), limit: state.count("cpulimit"), units: state.count("cpuunits") },
    dns: {
      servers: state.text("nameserver")?.split(/[\s,]+/),
      search_domains: state.text("searchdomain")?.split(/[\s,]+/),
    },
    console: { enabled: state.flag("console"), mode: state.text("cmode"), ttys: state.number("tty") },
    features: { ...flags(features), mount: features.text("mount")?.split(/[;,\s]+/) },
    mounts: {
      ...(root && { rootfs: lxcMount(root) }),
      ...Object.fromEntries(state.blocks("mountpoint").map((point) => [`mp${point.number("slot")}`, lxcMount(point)])),
    },
    networks: Object.fromEntries(
      state.blocks("network").map((card, place) => [`net${card.number("id") ?? place}`, lxcCard(card)]),
    ),
  };
}

const flags = (features: LegacyState): NonNullable<ContainerPart["features"]> => ({
  nesting: ifSet(features.flag("nesting")),
  fuse: ifSet(features.flag("fuse")),
  keyctl: ifSet(features.flag("keyctl")),
  mknod: ifSet(features.flag("mknod") ?? features.flag("create_device_nodes")),
});

const lxcMount = (mount: LegacyState): MountPart => ({
  ...volumeParts(mount.text("volume"), mount.text("size")),
  path: mount.text("mp"),
  acl: ifSet(mount.flag("acl")),
  backup: ifSet(mount.flag("backup")),
  quota: ifSet(mount.flag("quota")),
  read_only: ifSet(mount.flag("ro")),
  shared: ifSet(mount.flag("shared")),
});

const lxcCard = (card: LegacyState): NetworkPart => ({
  name: card.text("name"),
  bridge: card.text("bridge"),
  mac: card.text("hwaddr"),
  vlan: card.count("tag"),
  trunks: card.text("trunks")?.split(";"),
  firewall: ifSet(card.flag("firewall")),
  mtu: card.count("mtu"),
  rate_limit: card.count("rate"),
  ipv4: { address: card.text("ip"), gateway: card.text("gw") },
  ipv6: { address: card.text("ip6"), gateway: card.text("gw6") },
});

function guest(state: LegacyState): ContainerPart {
  const [image, clone, cpu, dns] = [
    state.block("template"),
    state.block("clone"),
    state.block("cpu"),
    state.block("dns"),
  ];
  const file = image.text("file");
  return {
    ...common(state),
    // Its `guest_id` is 0 after a create.
    vmid: vmidIn(state.text("id")) ?? state.count("guest_id"),
    name: state.text("name"),
    tags: state.words("tags"),
    power: state.text("power_state") === "stopped" ? "stopped" : undefined,
    on_boot: state.flag("start_at_node_boot"),
    image: { volume: file && `${image.text("storage")}:vztmpl/${file}` },
    clone: clone.isEmpty
      ? undefined
      : {
          template: clone.text("name") ?? String(clone.number("id")),
          full: clone.flag("linked") === undefined ? undefined : !clone.flag("linked"),
          storage: clone.text("storage"),
        },
    unprivileged: state.flag("unprivileged") || (state.flag("privileged") ? false : undefined),
    architecture: state.text("cpu_architecture"),
    os_type: state.text("os"),
    cpu: { cores: cpu.count("cores"), limit: cpu.count("limit"), units: cpu.count("units") },
    dns: { servers: dns.words("nameserver"), search_domains: dns.text("searchdomain")?.split(/[\s,]+/) },
    features: guestFeatures(state.block("features")),
    mounts: guestMounts(state),
    networks: guestNetworks(state),
  };
}

function guestFeatures(block: LegacyState): ContainerPart["features"] {
  const [kind] = [...block.blocks("privileged"), ...block.blocks("unprivileged")];
  if (kind === undefined) return undefined;
  const mount = [...(kind.flag("nfs") ? ["nfs"] : []), ...(kind.flag("smb") ? ["cifs"] : [])];
  return { ...flags(kind), mount: mount.length > 0 ? mount : undefined };
}

/** Mounts and cards are a list with slots, or blocks named after the slots. */
function guestMounts(state: LegacyState): ContainerPart["mounts"] {
  const listed = state.blocks("mount").map((mount) => [mount.text("slot") ?? "", guestMount(mount)] as const);
  const named = state.block("mounts").entries.flatMap(([slot, content]) => {
    const [mount] = [...content.blocks("data"), ...content.blocks("bind")];
    return mount ? [[slot, guestMount(mount)] as const] : [];
  });
  const [root] = state.blocks("root_mount");
  const rootOptions = root?.block("options");
  return {
    ...(root && {
      rootfs: {
        storage: root.text("storage"),
        size: root.text("size"),
        quota: ifSet(root.flag("quota")),
        options: switchedOn({
          discard: rootOptions?.flag("discard"),
          lazytime: rootOptions?.flag("lazy_time"),
          noatime: rootOptions?.flag("no_atime"),
          nosuid: rootOptions?.flag("no_suid"),
          nodev: undefined,
          noexec: undefined,
        }),
      },
    }),
    ...Object.fromEntries([...listed, ...named]),
  };
}

function guestMount(mount: LegacyState): MountPart {
  const hostPath = mount.text("host_path");
  return {
    ...(hostPath
      ? { host_path: hostPath }
      : { storage: mount.text("storage"), size: mount.text("size"), backup: ifSet(mount.flag("backup")) }),
    path: mount.text("guest_path"),
    read_only: ifSet(mount.flag("read_only")),
    quota: ifSet(mount.flag("quota")),
    options: switchedOn({
      discard: mount.flag("option_discard"),
      lazytime: mount.flag("option_lazy_time"),
      noatime: mount.flag("option_no_atime"),
      nodev: mount.flag("option_no_device"),
      noexec: mount.flag("option_no_exec"),
      nosuid: mount.flag("option_no_suid"),
    }),
  };
}

function guestNetworks(state: LegacyState): ContainerPart["networks"] {
  const listed = state.blocks("network").map((card) => [card.text("id") ?? "", card] as const);
  const cards = [...listed, ...state.block("networks").entries];
  return Object.fromEntries(cards.map(([slot, card]) => [slot, guestCard(card)]));
}

const guestCard = (card: LegacyState): NetworkPart => ({
  name: card.text("name"),
  bridge: card.text("bridge"),
  mac: card.text("mac")?.toUpperCase(),
  vlan: card.count("vlan_native"),
  firewall: ifSet(card.flag("firewall")),
  mtu: card.count("mtu"),
  rate_limit: megabytes(card.count("rate_limit")),
  link_down: card.flag("connected") === false ? true : undefined,
  host_managed: card.flag("host_managed"),
  ipv4: guestAddress(card, "ipv4"),
  ipv6: guestAddress(card, "ipv6"),
});

/** Theirs is in kilobytes per second. */
const megabytes = (rate: number | undefined): number | undefined => (rate === undefined ? undefined : rate / 1000);

/** `ipv4_address` beside the card, or `address` in a block of the family. */
function guestAddress(card: LegacyState, family: "ipv4" | "ipv6") {
  const block = card.block(family);
  const isDhcp = card.flag(`${family}_dhcp`) || block.flag("dhcp");
  const isAuto = family === "ipv6" && (card.flag("slaac") || block.flag("slaac"));
  const address = card.text(`${family}_address`) ?? block.text("address");
  return {
    address: isDhcp ? "dhcp" : isAuto ? "auto" : address,
    gateway: card.text(`${family}_gateway`) ?? block.text("gateway"),
  };
}
