import fc from "fast-check";
import { vmConfigs } from "./arbitrary-vm.ts";
import { isComplete, pathsOf, type Tree, without } from "./lines.ts";
import { type MeddlingName, meddlings } from "./meddlings.ts";

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const rarely = <T>(arbitrary: fc.Arbitrary<T>, oneIn: number) =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const some = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Tree>;
const drive = one("local-lvm", "local-zfs", "nas", "ceph");
const disc = one("none", "local:iso/rescue.iso", "nas:iso/drivers.iso").map((file) => ({ file }));

/** Devices that need a stopped VM, or a restart, to be added, removed or moved. */
const devices = some({
  tpm_state: drive.map((storage) => ({ storage, version: "v2.0" })),
  efi_disk: drive.map((storage) => ({ storage, type: "4m" })),
  hotplug: fc.uniqueArray(one("network", "disk", "usb", "cpu", "memory"), { maxLength: 4 }),
  cdroms: fc.oneof(
    one("ide0", "ide2", "ide3", "sata5").chain((slot) => disc.map((found) => ({ [slot]: found }))),
    fc.tuple(disc, disc).map(([ide0, sata5]) => ({ ide0, sata5 })),
  ),
});
const life = some({
  power: one("running", "stopped", "unmanaged"),
  restart_policy: one("never", "when_needed"),
  shutdown: one({ timeout: "0s" }, { timeout: "90s" }, { timeout: "10s", force: true }),
});
const text = one("#cloud-config\n", "#cloud-config\nhostname: a\n", "#!/bin/sh\n");
const cloudInit: fc.Arbitrary<Tree> = fc.oneof(
  some({ user: one("ops", "web"), slot: one("ide0", "ide2", "sata1"), storage: drive, upgrade: fc.boolean() }),
  some({ user: one("ops"), password: one("first", "second"), password_version: one(1, 2) }),
  fc.tuple(text, some({ slot: one("ide0", "ide2"), data_storage: one("local", "nas") })).map(([user_data, more]) => ({
    user_data,
    ...more,
  })),
  fc.tuple(text, some({ data_version: one(1, 2) })).map(([user_data_wo, more]) => ({ user_data_wo, ...more })),
);
const place = one<Tree>(
  { node: "pve1" },
  { node: "pve2" },
  { node: "pve1", placement: "enforce" },
  { node: "pve2", placement: "enforce" },
  { placement: "follow" },
);

/** What is outside of the configuration of a VM, and what guards it. */
const surroundings = {
  ha: rarely(
    fc.oneof(
      some({ state: one("started", "stopped", "disabled", "ignored"), max_restart: one(0, 2), failback: fc.boolean() }),
      some({ max_relocate: one(0, 3), comment: one("x", "by hand") }),
    ),
    5,
  ),
  pool: rarely(one("lab", "lab/inner", "prod", ""), 4),
  protection: rarely(fc.boolean(), 4),
  before_change: rarely(
    fc.record({ snapshot: fc.boolean(), keep: one(1, 2) }, { requiredKeys: ["snapshot"], noNullPrototype: true }),
    5,
  ),
};

const isText = (config: Tree | undefined) =>
  config !== undefined && ("user_data" in config || "user_data_wo" in config);

/** PVE generates addresses on its own drive only. */
const withoutAddresses = (networks: unknown): Tree =>
  Object.fromEntries(
    Object.entries((networks ?? {}) as Tree).map(([slot, card]) => {
      const { ipv4: _ipv4, ipv6: _ipv6, ...rest } = card as Tree;
      return [slot, rest];
    }),
  );

interface Furnishing {
  readonly storage: string | undefined;
  readonly fate: string | undefined;
  readonly image: string | undefined;
}

/** What a disk is given besides: another storage, what becomes of it, or an image that it is made from. */
function furnished(config: Tree, { storage, fate, image }: Furnishing): Tree {
  const disks = Object.entries((config["disks"] ?? {}) as Record<string, Tree>).map(([slot, disk]) => [
    slot,
    {
      ...disk,
      ...(slot === "scsi0" && storage !== undefined ? { storage } : {}),
      ...(fate === undefined || slot === "scsi0" ? {} : { on_remove: fate }),
      ...(image === undefined || slot !== "virtio1" ? {} : { import_from: image }),
    },
  ]);
  return disks.length === 0 ? config : { ...config, disks: Object.fromEntries(disks) };
}

/** A configuration of a VM, and what is to happen to it. */
const configs: fc.Arbitrary<Tree> = fc
  .record({
    config: vmConfigs,
    more: devices,
    cloud: rarely(cloudInit, 2),
    lived: life,
    wait: rarely(one("0s", "1s"), 6),
    placed: rarely(place, 4),
    storage: rarely(drive, 4),
    fate: rarely(one("delete", "detach"), 3),
    image: rarely(one("nas:import/small.qcow2", "nas:import/large.raw"), 3),
    boot: rarely(one(["scsi0"], ["scsi0", "net0"], ["net0"]), 4),
    bios: rarely(one("ovmf", "seabios"), 4),
    around: fc.record(surroundings),
  })
  .map(({ config, more, cloud, lived, wait, placed, storage, fate, image, boot, bios, around }) => {
    const { agent, cloud_init: written, networks, ha: _ha, ...rest } = config;
    const agentOf = wait === undefined ? agent : { ...((agent as Tree | undefined) ?? { enabled: true }), wait };
    const drives = cloud ?? (written as Tree | undefined);
    const cards = isText(drives) ? withoutAddresses(networks) : networks;
    const given = {
      ...furnished(rest as Tree, { storage, fate, image }),
      ...more,
      ...lived,
      ...placed,
      ...around,
      networks: cards,
      agent: agentOf,
      cloud_init: drives,
      boot_order: boot,
      bios,
    };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Tree;
  });

export interface Transition {
  readonly config: Tree;
  readonly meddling: MeddlingName;
}

export interface Transitions {
  readonly template: string;
  readonly first: Tree;
  readonly steps: readonly Transition[];
}

/** How a configuration follows from the one before. */
const ways = {
  another: (_before: Tree, other: Tree) => other,
  "some blocks of another": (before: Tree, other: Tree, picks: readonly number[]) => {
    const names = Object.keys(other);
    const picked = picks.map((pick) => names[pick % names.length] ?? "").filter((name) => name in other);
    return { ...before, ...Object.fromEntries(picked.map((name) => [name, other[name] ?? null])) };
  },
  "some lines less": (before: Tree, _other: Tree, picks: readonly number[]) =>
    picks.reduce((rest, pick) => {
      const paths = pathsOf(rest);
      const next = without(rest, paths[pick % paths.length] ?? []);
      return isComplete(next) ? next : rest;
    }, before),
  nothing: () => ({}),
} as const;

const names = Object.keys(meddlings) as MeddlingName[];
const steps = fc.array(
  fc.record({
    way: one<keyof typeof ways>(
      "another",
      "some blocks of another",
      "some blocks of another",
      "some lines less",
      "some lines less",
      "nothing",
    ),
    other: configs,
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
    meddling: fc.oneof(
      { weight: 1, arbitrary: one(...names) },
      { weight: 1, arbitrary: fc.constant("nothing" as const) },
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

export const transitions: fc.Arbitrary<Transitions> = fc
  .record({
    template: one("ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11", "plain"),
    first: configs,
    isSparse: fc.boolean(),
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
    steps,
  })
  .map(({ template, first: whole, isSparse, picks, steps: given }) => {
    const first = isSparse ? ways["some blocks of another"]({}, whole, picks) : whole;
    let config = first;
    return {
      template,
      first,
      steps: given.map(({ way, other, picks: chosen, meddling }) => {
        config = ways[way](config, other, chosen);
        return { config, meddling };
      }),
    };
  });
