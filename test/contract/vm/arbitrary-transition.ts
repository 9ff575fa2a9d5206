import fc from "fast-check";
import { storage as drive, furnished, given, life, one, place, rarely, some } from "../transitions/arbitraries.ts";
import { type Transitions as AnyTransitions, transitionsOf } from "../transitions/arbitrary-transitions.ts";
import type { Tree } from "../transitions/lines.ts";
import { surroundings } from "../transitions/surroundings.ts";
import { vmConfigs } from "./arbitrary-vm.ts";
import { type MeddlingName, meddlings } from "./meddlings.ts";

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

/** A disk that is made from an image. */
function imported(config: Tree, image: string | undefined): Tree {
  const disks = (config["disks"] ?? {}) as Record<string, Tree>;
  if (image === undefined || disks["virtio1"] === undefined) return config;
  return { ...config, disks: { ...disks, virtio1: { ...disks["virtio1"], import_from: image } } };
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
    return given({
      ...imported(furnished(rest as Tree, "disks", "scsi0", { storage, fate }), image),
      ...more,
      ...lived,
      ...placed,
      ...around,
      networks: cards,
      agent: agentOf,
      cloud_init: drives,
      boot_order: boot,
      bios,
    });
  });

export type Transitions = AnyTransitions<MeddlingName>;

/** Templates, a backup, and nothing. */
const sources = ["ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11", "plain", "archive", "nothing"];

export const transitions = transitionsOf(sources, configs, Object.keys(meddlings) as MeddlingName[]);
