import { line, matches, nested, oneOf, string } from "#kit";
import {
  absolutePath,
  ceph,
  files,
  fixedVolumeChain,
  flagOf,
  forLife,
  format,
  mountOptions,
  mountPoint,
  password,
  preallocation,
  server,
  shared,
  subdirectory,
  version,
} from "./members.ts";

const { content_dirs, ...directories } = files;

const path = {
  type: string({ check: matches(/^\/[\w/.@-]*[\w.@-]$/, "an absolute path of letters, digits and `-_.@`") }),
  mode: "required",
  wire: "path",
  replace: forLife("the path"),
  doc: "Absolute path of the directory on the nodes.",
} as const;

const images = format(["raw", "qcow2", "vmdk"]);

/** Types of storage that keep files. */
export const fileTypes = {
  dir: {
    type: nested({
      path,
      shared,
      mount_point: mountPoint,
      format: format(["raw", "qcow2", "vmdk", "subvol"]),
      preallocation,
      snapshot_as_volume_chain: fixedVolumeChain,
      ...files,
    }),
    mode: "optional",
    doc: "A directory of the nodes. Exactly one of the types must be given.",
  },
  btrfs: {
    type: nested({
      path,
      shared,
      mount_point: mountPoint,
      format: format(["raw", "subvol"]),
      preallocation,
      nocow: flagOf(
        "nocow",
        "Whether files are written in place instead of copied on write, without checksums. Left out: no.",
      ),
      ...directories,
    }),
    mode: "optional",
    doc: "A directory on a BTRFS file system.",
  },
  nfs: {
    type: nested({
      server,
      export: {
        type: string({ check: absolutePath }),
        mode: "required",
        wire: "export",
        replace: forLife("the export"),
        doc: "Absolute path of the export on the server.",
      },
      options: mountOptions,
      format: images,
      preallocation,
      snapshot_as_volume_chain: fixedVolumeChain,
      ...files,
    }),
    mode: "optional",
    doc: "An export of an NFS server, mounted at `/mnt/pve/ID` on the nodes.",
  },
  cifs: {
    type: nested({
      server,
      share: {
        type: string({ check: matches(/^\S([^\n]*\S)?$/, "the name of a share") }),
        mode: "required",
        wire: "share",
        replace: forLife("the share"),
        doc: "Name of the share.",
      },
      subdir: subdirectory,
      username: {
        type: string({ check: matches(/^\S+$/, "a name without blanks") }),
        mode: "optional",
        wire: "username",
        doc: "User of the server. Left out: a guest.",
      },
      password: {
        ...password,
        mode: "optional",
        doc: "Password of `username`; never stored. It is sent when the storage is created and when `password_version` changes.",
      },
      password_version: version("password"),
      domain: {
        type: line(256),
        mode: "optional",
        wire: "domain",
        doc: "Domain of the user. Left out: none.",
      },
      smb_version: {
        type: oneOf(["default", "2.0", "2.1", "3", "3.0", "3.11"]),
        mode: "optional",
        wire: "smbversion",
        doc: "Version of SMB. Left out: the highest that both sides know.",
      },
      options: mountOptions,
      format: images,
      preallocation,
      snapshot_as_volume_chain: fixedVolumeChain,
      ...files,
    }),
    mode: "optional",
    doc: "A share of an SMB (CIFS) server, mounted at `/mnt/pve/ID` on the nodes.",
  },
  cephfs: {
    type: nested(
      {
        ...ceph,
        subdir: subdirectory,
        fs_name: {
          type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
          mode: "optional",
          wire: "fs-name",
          doc: "Name of the file system. Left out: the first of the Ceph cluster.",
        },
        fuse: flagOf("fuse", "Whether it is mounted by FUSE instead of the kernel. Left out: by the kernel."),
        options: mountOptions,
        ...files,
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: "A CephFS, mounted at `/mnt/pve/ID` on the nodes; `{}` is the one of this cluster.",
  },
} as const;
