import { int, matches, nested, nullable, oneOf, string } from "#kit";
import {
  absolutePath,
  ceph,
  changeableVolumeChain,
  flagOf,
  forLife,
  lvmName,
  portal,
  shared,
  target,
} from "./members.ts";

const poolName = matches(/^[\w.:/-]+$/, "the name of a pool, or of a dataset in it");

/** ZFS knows block sizes of 512 bytes to 16 MiB, all powers of two. */
function blockSizeText(text: string): string | undefined {
  const [, digits, unit = ""] = /^(\d+)([km]?)$/i.exec(text) ?? [];
  const exponent = Math.log2(Number(digits) * { "": 1, k: 1024, m: 1024 ** 2 }[unit.toLowerCase() as "" | "k" | "m"]);
  const isSize = Number.isInteger(exponent) && exponent >= 9 && exponent <= 24;
  return isSize ? undefined : "Must be a power of two from 512 to 16m, such as `16k`.";
}

const volumeGroup = {
  type: string({ check: lvmName }),
  mode: "required",
  wire: "vgname",
  replace: forLife("the volume group"),
  doc: "Name of the volume group.",
} as const;

const pool = {
  type: string({ check: poolName }),
  mode: "required",
  wire: "pool",
  replace: forLife("the pool"),
} as const;

const sparse = flagOf("sparse", "Whether volumes take space only as they are filled. Left out: they take all of it.");

const text = (wire: string, doc: string) =>
  ({ type: string({ check: matches(/^\S+$/, "a name without blanks") }), mode: "optional", wire, doc }) as const;

/** Types of storage that keep volumes on block devices. */
export const blockTypes = {
  lvm: {
    type: nested({
      volume_group: volumeGroup,
      base: {
        type: string({ check: matches(/^[A-Za-z][\w.-]*:\S+$/, "a volume ID such as `san:0.0.0.scsi-36001405`") }),
        mode: "optional",
        wire: "base",
        replace: forLife("the base volume"),
        doc: "Volume ID of a LUN on an `iscsi` storage, on which the volume group is created. Left out: the volume group exists.",
      },
      shared,
      tagged_only: flagOf(
        "tagged_only",
        "Whether only volumes with the tag `pve-vm-ID` are used. Left out: all of the group.",
      ),
      safe_remove: flagOf(
        "saferemove",
        "Whether volumes are overwritten with zeroes when they are removed. Left out: they are not.",
      ),
      safe_remove_throughput: {
        type: string({ check: matches(/^-?\d+[kmg]?$/i, "a number of bytes such as `10m`") }),
        mode: "optional",
        wire: "saferemove_throughput",
        doc: "How fast they are overwritten, in bytes per second. Left out: as fast as Proxmox VE thinks fit.",
      },
      safe_remove_step_size: {
        type: int({
          check: (mebibytes) =>
            [1, 2, 4, 8, 16, 32].includes(mebibytes) ? undefined : "Must be 1, 2, 4, 8, 16 or 32.",
        }),
        mode: "optional",
        wire: "saferemove-stepsize",
        doc: "How much is overwritten at a time, in MiB: 1, 2, 4, 8, 16 or 32. Left out: 32.",
      },
      snapshot_as_volume_chain: changeableVolumeChain,
    }),
    mode: "optional",
    doc: "A volume group of LVM.",
  },
  lvmthin: {
    type: nested({
      volume_group: volumeGroup,
      thin_pool: {
        type: string({ check: lvmName }),
        mode: "required",
        wire: "thinpool",
        replace: forLife("the thin pool"),
        doc: "Name of the thin pool in the volume group.",
      },
    }),
    mode: "optional",
    doc: "A thin pool of LVM.",
  },
  zfspool: {
    type: nested({
      pool: { ...pool, doc: "ZFS pool, or a dataset in it, such as `rpool/data`." },
      block_size: {
        type: string({ check: blockSizeText }),
        mode: "optional",
        wire: "blocksize",
        doc: "Block size of new volumes, such as `16k`. Left out: that of Proxmox VE.",
      },
      sparse,
      mount_point: {
        type: nullable(string({ check: absolutePath })),
        mode: "optional_computed",
        keep: true,
        undo: "to_value",
        wire: "mountpoint",
        doc: "Absolute path at which the nodes mount the pool, where it is not the one that Proxmox VE finds: containers have their volumes below it. Left out: a new storage gets the path that ZFS reports for the pool, or null where it reports none; otherwise it stays as it is.",
      },
    }),
    mode: "optional",
    doc: "A ZFS pool of the nodes.",
  },
  zfs: {
    type: nested({
      portal,
      target,
      pool: { ...pool, doc: "ZFS pool on the server." },
      block_size: {
        type: string({ check: blockSizeText }),
        mode: "required",
        wire: "blocksize",
        replace: forLife("the block size"),
        doc: "Block size of new volumes, such as `4k`.",
      },
      provider: {
        type: oneOf(["comstar", "istgt", "iet", "LIO"]),
        mode: "required",
        wire: "iscsiprovider",
        replace: forLife("the iSCSI provider"),
        doc: "Software of the iSCSI target on the server.",
      },
      sparse,
      write_cache: {
        ...flagOf("nowritecache", "Whether the target caches writes. Left out: it does."),
        as: { parse: (raw: unknown) => String(raw) !== "1", print: (on: unknown) => !on },
      },
      comstar_host_group: text("comstar_hg", "Host group of the views, for `comstar`. Left out: all hosts."),
      comstar_target_group: text("comstar_tg", "Target group of the views, for `comstar`. Left out: all targets."),
      lio_target_portal_group: text("lio_tpg", "Target portal group, which `LIO` needs."),
      base_path: {
        type: nullable(string({ check: absolutePath })),
        mode: "optional_computed",
        keep: true,
        undo: "to_value",
        wire: "zfs-base-path",
        doc: "Where the server has the devices of volumes. Left out: Proxmox VE asks the server when it adds the storage, and stores what it finds.",
      },
    }),
    mode: "optional",
    doc: "ZFS on a server, over iSCSI; the nodes control it by SSH as root.",
  },
  iscsi: {
    type: nested({ portal, target }),
    mode: "optional",
    doc: "The LUNs of an iSCSI target, through the kernel. A volume group on one of them is a storage of type `lvm`.",
  },
  iscsidirect: {
    type: nested({ portal, target }),
    mode: "optional",
    doc: "The LUNs of an iSCSI target, used by QEMU itself.",
  },
  rbd: {
    type: nested(
      {
        ...ceph,
        pool: {
          type: string({ check: poolName }),
          mode: "optional",
          wire: "pool",
          doc: "Pool of Ceph. Left out: `rbd`.",
        },
        data_pool: text(
          "data-pool",
          "Pool for the data, where `pool` has only what describes it: an erasure-coded one. Left out: `pool`.",
        ),
        namespace: text("namespace", "Namespace in the pool. Left out: none."),
        krbd: flagOf("krbd", "Whether VMs use images through the kernel instead of librbd. Left out: librbd."),
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: "Images of Ceph; `{}` is the pool `rbd` of this cluster.",
  },
} as const;
