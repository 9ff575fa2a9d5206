import { die } from "../core/kernel/failure.ts";

/**
 * The content types and features of each storage type, one entry per plugin of pve-storage
 * (`src/PVE/Storage/*Plugin.pm`: `plugindata`, `options`, `volume_has_feature`, `@SHARED_STORAGE`).
 */

export type ContentType = "images" | "rootdir" | "vztmpl" | "iso" | "backup" | "snippets" | "import";

export type ImageFormat = "raw" | "qcow2" | "vmdk" | "subvol";

/** How a plugin names its volumes; `none` for types whose volumes are not simulated. */
export type Naming = "directory" | "lvm" | "lvmthin" | "zfs" | "rbd" | "none";

/** `volume_has_feature`: the operations on a volume. */
export type VolumeFeature = "clone" | "copy" | "template" | "snapshot" | "rename" | "sparseinit" | "replicate";

/** The states of a volume on which features depend. */
export type VolumeState = "base" | "current" | "snap";

interface OptionRule {
  readonly optional?: true;
  readonly fixed?: true;
}

export interface StoragePlugin {
  readonly naming: Naming;
  /** Content types that can be configured, including `none` if a storage may have no content. */
  readonly content: readonly (ContentType | "none")[];
  readonly defaultContent: readonly (ContentType | "none")[];
  readonly formats: readonly ImageFormat[];
  /** Always shared, independent of the configuration. */
  readonly shared: boolean;
  /** Stores files below a `path`. */
  readonly fileBased: boolean;
  readonly options: Readonly<Record<string, OptionRule>>;
  /** Stored in a separate file and never answered. */
  readonly sensitive: readonly string[];
  readonly features: Readonly<
    Partial<Record<VolumeFeature, Readonly<Partial<Record<VolumeState, readonly ImageFormat[]>>>>>
  >;
}

const optional = { optional: true } as const;
const fixed = { fixed: true } as const;
const fixedOptional = { fixed: true, optional: true } as const;
const required = {} as const;

const options = <Name extends string>(rule: OptionRule, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, rule]));

const everywhere = options(optional, "nodes", "disable", "content");
const directoryOptions = {
  ...everywhere,
  ...options(fixed, "path"),
  ...options(
    optional,
    "content-dirs",
    "prune-backups",
    "max-protected-backups",
    "format",
    "mkdir",
    "create-base-path",
    "create-subdirs",
    "bwlimit",
    "preallocation",
  ),
};

const directoryContent = ["images", "rootdir", "vztmpl", "iso", "backup", "snippets", "import"] as const;
const fileImages = ["qcow2", "raw", "vmdk"] as const;

/** Plugin.pm: the features of image files. */
const fileFeatures: StoragePlugin["features"] = {
  snapshot: { current: ["qcow2"], snap: ["qcow2"] },
  clone: { base: fileImages },
  template: { current: [...fileImages, "subvol"] },
  copy: { base: fileImages, current: fileImages, snap: ["qcow2"] },
  sparseinit: { base: fileImages, current: fileImages },
  rename: { current: fileImages },
};

/** Features of block volumes do not depend on the format. */
const blocks = ["raw", "subvol"] as const;

const directory = (more: Partial<StoragePlugin>): StoragePlugin => ({
  naming: "directory",
  content: directoryContent,
  defaultContent: ["images"],
  formats: fileImages,
  shared: true,
  fileBased: true,
  options: directoryOptions,
  sensitive: [],
  features: fileFeatures,
  ...more,
});

const opaque = (more: Partial<StoragePlugin>): StoragePlugin => ({
  naming: "none",
  content: ["images", "none"],
  defaultContent: ["images"],
  formats: ["raw"],
  shared: true,
  fileBased: false,
  options: everywhere,
  sensitive: [],
  features: {},
  ...more,
});

export const storagePlugins = {
  dir: directory({
    content: [...directoryContent, "none"],
    defaultContent: ["images", "rootdir"],
    formats: [...fileImages, "subvol"],
    shared: false,
    options: {
      ...directoryOptions,
      ...options(optional, "shared", "is_mountpoint"),
      ...options(fixedOptional, "snapshot-as-volume-chain"),
    },
  }),
  nfs: directory({
    options: {
      ...directoryOptions,
      ...options(fixed, "server", "export"),
      ...options(optional, "options"),
      ...options(fixedOptional, "snapshot-as-volume-chain"),
    },
  }),
  cifs: directory({
    options: {
      ...directoryOptions,
      ...options(fixed, "server", "share"),
      ...options(optional, "subdir", "username", "password", "domain", "smbversion", "options"),
      ...options(fixedOptional, "snapshot-as-volume-chain"),
    },
    sensitive: ["password"],
  }),
  cephfs: directory({
    content: ["vztmpl", "iso", "backup", "snippets", "import"],
    defaultContent: ["backup"],
    formats: ["raw"],
    options: {
      ...options(fixed, "path"),
      ...everywhere,
      ...options(
        optional,
        "content-dirs",
        "monhost",
        "subdir",
        "options",
        "username",
        "format",
        "mkdir",
        "create-base-path",
        "create-subdirs",
        "fuse",
        "bwlimit",
        "keyring",
        "prune-backups",
        "max-protected-backups",
        "fs-name",
      ),
    },
    sensitive: ["keyring"],
  }),
  lvm: {
    naming: "lvm",
    content: ["images", "rootdir"],
    defaultContent: ["images"],
    formats: ["raw", "qcow2"],
    shared: false,
    fileBased: false,
    options: {
      ...everywhere,
      ...options(fixed, "vgname"),
      ...options(fixedOptional, "base"),
      ...options(
        optional,
        "shared",
        "saferemove",
        "saferemove-stepsize",
        "saferemove_throughput",
        "tagged_only",
        "bwlimit",
        "snapshot-as-volume-chain",
      ),
    },
    sensitive: [],
    features: {
      copy: { base: ["qcow2", "raw"], current: ["qcow2", "raw"], snap: ["qcow2"] },
      rename: { current: ["qcow2", "raw"] },
      snapshot: { current: ["qcow2"], snap: ["qcow2"] },
    },
  },
  lvmthin: {
    naming: "lvmthin",
    content: ["images", "rootdir"],
    defaultContent: ["images", "rootdir"],
    formats: ["raw"],
    shared: false,
    fileBased: false,
    options: { ...everywhere, ...options(fixed, "thinpool", "vgname"), ...options(optional, "bwlimit") },
    sensitive: [],
    features: {
      snapshot: { current: blocks },
      clone: { base: blocks, snap: blocks },
      template: { current: blocks },
      copy: { base: blocks, current: blocks, snap: blocks },
      sparseinit: { base: blocks, current: blocks },
      rename: { current: blocks },
    },
  },
  zfspool: {
    naming: "zfs",
    content: ["images", "rootdir"],
    defaultContent: ["images", "rootdir"],
    formats: ["raw", "subvol"],
    shared: false,
    fileBased: false,
    options: {
      ...everywhere,
      ...options(fixed, "pool"),
      ...options(optional, "blocksize", "sparse", "bwlimit", "mountpoint"),
    },
    sensitive: [],
    features: {
      snapshot: { current: blocks, snap: blocks },
      clone: { base: blocks },
      template: { current: blocks },
      copy: { base: blocks, current: blocks },
      sparseinit: { base: blocks, current: blocks },
      replicate: { base: blocks, current: blocks },
      rename: { current: blocks },
    },
  },
  rbd: {
    naming: "rbd",
    content: ["images", "rootdir"],
    defaultContent: ["images"],
    formats: ["raw"],
    shared: true,
    fileBased: false,
    options: {
      ...everywhere,
      ...options(optional, "monhost", "pool", "data-pool", "namespace", "username", "krbd", "keyring", "bwlimit"),
    },
    sensitive: ["keyring"],
    features: {
      snapshot: { current: blocks, snap: blocks },
      clone: { base: blocks, snap: blocks },
      template: { current: blocks },
      copy: { base: blocks, current: blocks, snap: blocks },
      sparseinit: { base: blocks, current: blocks },
      rename: { current: blocks },
    },
  },
  btrfs: directory({
    content: [...directoryContent, "none"],
    defaultContent: ["images", "rootdir"],
    formats: ["raw", "subvol"],
    shared: false,
    options: {
      ...options(fixed, "path"),
      ...everywhere,
      ...options(
        optional,
        "shared",
        "prune-backups",
        "max-protected-backups",
        "format",
        "is_mountpoint",
        "nocow",
        "mkdir",
        "create-base-path",
        "create-subdirs",
        "preallocation",
      ),
    },
    features: {
      ...fileFeatures,
      snapshot: { current: blocks, snap: blocks },
      clone: { base: blocks, snap: blocks },
      template: { current: blocks },
      copy: { base: blocks, current: blocks, snap: blocks },
    },
  }),
  iscsidirect: opaque({
    content: ["images", "none"],
    options: { ...everywhere, ...options(fixed, "portal", "target"), ...options(optional, "bwlimit") },
  }),
  zfs: opaque({
    content: ["images"],
    options: {
      ...everywhere,
      ...options(fixed, "portal", "target", "pool", "blocksize", "iscsiprovider"),
      ...options(optional, "nowritecache", "sparse", "comstar_hg", "comstar_tg", "lio_tpg", "bwlimit", "zfs-base-path"),
    },
  }),
  iscsi: opaque({ options: { ...everywhere, ...options(fixed, "portal", "target"), ...options(optional, "bwlimit") } }),
  pbs: opaque({
    content: ["backup", "none"],
    defaultContent: ["backup"],
    options: {
      ...everywhere,
      ...options(fixed, "server", "datastore"),
      ...options(
        optional,
        "namespace",
        "port",
        "username",
        "password",
        "encryption-key",
        "master-pubkey",
        "prune-backups",
        "max-protected-backups",
        "fingerprint",
      ),
    },
    sensitive: ["encryption-key", "master-pubkey", "password"],
  }),
  esxi: opaque({
    content: ["import"],
    defaultContent: ["import"],
    features: { copy: { current: ["vmdk"] } },
    shared: false,
    options: {
      ...everywhere,
      ...options(required, "server", "username"),
      ...options(optional, "shared", "password", "skip-cert-verification", "port"),
    },
    sensitive: ["password"],
  }),
} as const satisfies Record<string, StoragePlugin>;

export const storageTypes = Object.keys(storagePlugins).sort();

/** The plugin of a storage; every entry of a world has one of the known types. */
export function pluginOf(storage: { readonly type: string }): StoragePlugin {
  return (
    (storagePlugins as Record<string, StoragePlugin>)[storage.type] ?? die(`unknown storage type '${storage.type}'`)
  );
}
