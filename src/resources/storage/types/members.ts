import { bool, int, isOneOf, map, matches, oneLine, oneOf, set, string } from "#kit";
import { contentNames } from "../storage-content.ts";

/** Why a fixed option means another storage: PVE has no way to change it. */
export const forLife = (what: string): string =>
  `Proxmox VE never changes ${what} of a storage: the definition is removed and made again. The data stays where it is; privileges that were granted on the storage are removed, and have to be granted again.`;

export const absolutePath = matches(/^\/[^;()\s]+$/, "an absolute path without blanks and without any of `;()`");
export const lvmName = matches(/^[A-Za-z0-9][\w.-]*[A-Za-z0-9]$/, "a name of LVM such as `pve` or `vg-data`");
const serverName = matches(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/, "a host name or an IP address");
const portalAddress = matches(
  /^(\[[A-Fa-f0-9:.]+\]|[A-Za-z0-9.-]+)(:\d+)?$/,
  'an address with or without a port, such as "10.0.0.1:3260"',
);

export const server = {
  type: string({ check: serverName }),
  mode: "required",
  wire: "server",
  replace: forLife("the server"),
  doc: "Host name or IP address of the server.",
} as const;

export const mountOptions = {
  type: string({ check: matches(/^\S+$/, "options of `mount` without blanks, such as `vers=4.2,soft`") }),
  mode: "optional",
  wire: "options",
  doc: "Options of the mount, such as `vers=4.2`. Left out: those of the node.",
} as const;

export const subdirectory = {
  type: string({ check: absolutePath }),
  mode: "optional",
  wire: "subdir",
  doc: "Directory of the share that is mounted, such as `/proxmox`. Left out: the whole share.",
} as const;

const flag = (wire: string, doc: string) => ({ type: bool(), mode: "optional", wire, doc }) as const;

/** A directory in which PVE keeps files. */
export const files = {
  content_dirs: {
    type: map(
      string({
        check: matches(
          /^(?=.{1,1022}$)[^,;\s=/]{1,254}(?:\/[^,;\s=/]{1,254})*$/,
          "a relative path without blanks, commas and `=`",
        ),
      }),
      {
        min: 1,
        keys: isOneOf<string>(contentNames),
      },
    ),
    mode: "optional",
    wire: "content-dirs",
    as: {
      parse: (raw: unknown) =>
        Object.fromEntries(
          String(raw)
            .split(",")
            .map((entry) => entry.split("=", 2)),
        ),
      print: (directories: unknown) =>
        Object.entries(directories as object)
          .map(([content, path]) => `${content}=${path}`)
          .sort()
          .join(","),
    },
    doc: 'Directories for types of content, below the storage: `{ iso = "images/iso" }`. Left out: those of Proxmox VE, such as `template/iso`.',
  },
  create_base_path: flag(
    "create-base-path",
    "Whether the directory of the storage is created if it is missing. Left out: it is.",
  ),
  create_subdirs: flag(
    "create-subdirs",
    "Whether the directories for each type of content are created. Left out: they are.",
  ),
} as const;

export const format = <const W extends "raw" | "qcow2" | "vmdk" | "subvol">(formats: readonly W[]) =>
  ({
    type: oneOf(formats),
    mode: "optional",
    wire: "format",
    doc: "Format of new disks for which none is given. Left out: the one that Proxmox VE prefers there.",
  }) as const;

export const preallocation = {
  type: oneOf(["off", "metadata", "falloc", "full"]),
  mode: "optional",
  wire: "preallocation",
  doc: "What is written ahead for new raw and qcow2 images. Left out: `metadata`.",
} as const;

const volumeChain = {
  type: bool(),
  mode: "optional",
  wire: "snapshot-as-volume-chain",
  doc: "Whether a snapshot is a volume of its own that the next one is based on. Left out: it is not.",
} as const;

export const changeableVolumeChain = volumeChain;
export const fixedVolumeChain = { ...volumeChain, replace: forLife("the kind of snapshots") } as const;

export const shared = flag(
  "shared",
  "Whether the same data is at this place on every node, as on a disk array or a cluster file system. The setting alone shares nothing. Left out: it is not.",
);

export const mountPoint = {
  type: string({ check: matches(/^(yes|no|\/[^;()\s]+)$/, "`yes`, `no` or the absolute path of a mount point") }),
  mode: "optional",
  wire: "is_mountpoint",
  doc: "`yes` if the directory is a mount point, or the path of the one it is in: the storage is offline as long as nothing is mounted there. Left out: `no`.",
} as const;

export const portal = {
  type: string({ check: portalAddress }),
  mode: "required",
  wire: "portal",
  replace: forLife("the portal"),
  doc: "Address of the iSCSI portal, with its port if that is not 3260.",
} as const;

export const target = {
  type: oneLine,
  mode: "required",
  wire: "target",
  replace: forLife("the target"),
  doc: "Name of the iSCSI target, such as `iqn.2003-01.org.example:disks`.",
} as const;

/** Ceph of another cluster, or of this one. */
export const ceph = {
  monitors: {
    type: set(string({ check: portalAddress }), { min: 1 }),
    mode: "optional",
    wire: "monhost",
    doc: "Addresses of the monitors of a Ceph cluster elsewhere. Left out: the Ceph of this cluster.",
  },
  username: {
    type: string({ check: matches(/^\S+$/, "a name without blanks") }),
    mode: "optional",
    wire: "username",
    doc: "User of Ceph, without `client.`. Left out: `admin`.",
  },
  keyring: {
    type: string(),
    mode: "optional",
    writeOnly: { trigger: "keyring_version" },
    sensitive: true,
    wire: "keyring",
    doc: "Content of the keyring, or the secret for CephFS, of a Ceph cluster elsewhere; never stored. It is sent when the storage is created and when `keyring_version` changes.",
  },
  keyring_version: version("keyring"),
} as const;

/** A secret that is sent when the storage is created, and again when its version changes. */
export function version(secret: string) {
  return {
    type: int(),
    mode: "optional",
    local: true,
    doc: `Any number; another one sends \`${secret}\` again.`,
  } as const;
}

export const password = {
  type: string({ check: matches(/^[^\n]{1,256}$/, "one line of at most 256 characters") }),
  writeOnly: { trigger: "password_version" },
  sensitive: true,
  wire: "password",
} as const;

export const flagOf = flag;
