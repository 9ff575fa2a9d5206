import type { LegacyState } from "#kit";
import { bpgStartup, gibibytes, mebibytes, numbered, vmidIn } from "../../guest/moves.ts";
import { type ContainerPart, ifSet, type MountPart, moveFrom, volumeParts } from "./move.ts";

/** States of bpg's provider, as of 0.111; the shorter name is the one that its types are being renamed to. */
export const bpgMoves = ["proxmox_virtual_environment_container", "proxmox_container"].map((type) =>
  moveFrom("bpg/proxmox", type, container),
);

function container(state: LegacyState): ContainerPart {
  const image = state.block("operating_system");
  const clone = state.block("clone");
  const user = state.block("initialization").block("user_account");
  return {
    vmid: state.count("vm_id") ?? vmidIn(state.text("id")),
    node: state.text("node_name"),
    pool: state.text("pool_id"),
    power: state.flag("started") === false && state.flag("template") !== true ? "stopped" : undefined,
    image: { volume: image.text("template_file_id") },
    clone: clone.isEmpty
      ? undefined
      : { template: String(clone.number("vm_id")), full: clone.flag("full"), storage: clone.text("datastore_id") },
    ssh_keys: user.words("keys"),
    ...options(state),
    // Its state of a clone does not say what the source is.
    unprivileged: image.isEmpty ? undefined : state.flag("unprivileged"),
    mounts: mounts(state),
    networks: networks(state),
    devices: numbered("dev", state.blocks("device_passthrough").map(device)),
  };
}

function options(state: LegacyState): ContainerPart {
  const [initialization, cpu] = [state.block("initialization"), state.block("cpu")];
  const [memory, console, features] = [state.block("memory"), state.block("console"), state.block("features")];
  const dns = initialization.block("dns");
  return {
    name: initialization.text("hostname"),
    description: state.text("description")?.trimEnd(),
    tags: state.words("tags"),
    template: state.flag("template"),
    protection: state.flag("protection"),
    on_boot: state.flag("start_on_boot"),
    startup: bpgStartup(state),
    hook_script: state.text("hook_script_file_id"),
    cpu: { cores: cpu.count("cores"), limit: cpu.count("limit"), units: cpu.count("units") },
    architecture: cpu.text("architecture"),
    memory: { size: mebibytes(memory.count("dedicated")), swap: mebibytes(memory.number("swap")) },
    dns: {
      servers: dns.words("servers") ?? dns.text("server")?.split(/[\s,]+/),
      search_domains: dns.text("domain")?.split(/[\s,]+/),
    },
    console: { enabled: console.flag("enabled"), mode: console.text("type"), ttys: console.number("tty_count") },
    os_type: state.block("operating_system").text("type"),
    features: {
      nesting: ifSet(features.flag("nesting")),
      fuse: ifSet(features.flag("fuse")),
      keyctl: ifSet(features.flag("keyctl")),
      mknod: ifSet(features.flag("mknod")),
      mount: features.words("mount"),
    },
    entrypoint: initialization.text("entrypoint"),
    env: environment(state),
  };
}

function environment(state: LegacyState): ContainerPart["env"] {
  const texts = Object.entries(state.members("environment_variables")).map(([name, text]) => [name, String(text)]);
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

function mounts(state: LegacyState): ContainerPart["mounts"] {
  const [root] = state.blocks("disk");
  const size = root && { ...volumeParts(root.text("path_in_datastore"), gibibytes(root.count("size"))) };
  const points = state.blocks("mount_point").map((point) => ({
    ...volumeParts(point.text("volume"), point.text("size")),
    ...mountOptions(point),
    path: point.text("path"),
    backup: ifSet(point.flag("backup")),
    read_only: ifSet(point.flag("read_only")),
    shared: ifSet(point.flag("shared")),
  }));
  return { ...(root && { rootfs: { ...size, ...mountOptions(root) } }), ...numbered("mp", points) };
}

/** Replication is left to the refresh: its default differs between the root file system and mount points. */
const mountOptions = (mount: LegacyState): MountPart => ({
  acl: ifSet(mount.flag("acl")),
  quota: ifSet(mount.flag("quota")),
  options: mount.words("mount_options"),
});

/** Cards and addresses are two lists; what has the same place in both belongs together. */
function networks(state: LegacyState): ContainerPart["networks"] {
  const addresses = state.block("initialization").blocks("ip_config");
  const family = (place: number, name: string) => {
    const block = addresses[place]?.block(name);
    return { address: block?.text("address"), gateway: block?.text("gateway") };
  };
  const cards = state.blocks("network_interface").map((card, place) => ({
    name: card.text("name"),
    bridge: card.text("bridge"),
    mac: card.text("mac_address"),
    vlan: card.count("vlan_id"),
    firewall: ifSet(card.flag("firewall")),
    mtu: card.count("mtu"),
    rate_limit: card.count("rate_limit"),
    host_managed: ifSet(card.flag("host_managed")),
    ipv4: family(place, "ipv4"),
    ipv6: family(place, "ipv6"),
  }));
  return numbered("net", cards);
}

const device = (block: LegacyState) => ({
  path: block.text("path"),
  mode: block.text("mode"),
  uid: block.count("uid"),
  gid: block.count("gid"),
  deny_write: ifSet(block.flag("deny_write")),
});
