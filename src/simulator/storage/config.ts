import { changeUserConfig } from "../core/access/user-config.ts";
import { endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import type { Process } from "../core/kernel/process.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdListFormat } from "../core/schema/formats.ts";
import { string } from "../core/schema/schema.ts";
import { digest, storageId } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  sectionParameters,
  sectionsDigest,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { changeableStorageOptions, fixedStorageOptions } from "./options.ts";
import { findLeftVolumes, leaveVolumes } from "./place.ts";
import { pluginOf, storageTypes } from "./plugins.ts";
import { checkServer } from "./reachability.ts";
import { applySecrets, requirePassword } from "./secrets.ts";
import { contentTypes, defaultSpeed, getStorage, imageFormats, isShared, requireContent } from "./storages.ts";
import { parseVolumeId } from "./volume-name.ts";
import { volumesIn } from "./volumes.ts";

const properties = { ...fixedStorageOptions, ...changeableStorageOptions };

function configDigest(world: World): string {
  return sectionsDigest(world.storages, (type) => pluginOf({ type }).options);
}

/** A section as `GET` shows it, with the values that its type implies. */
function describe(world: World, storage: Storage): Record<string, unknown> {
  const { "content-dirs": overrides, ...options } = storage.options;
  return {
    ...typedOptions(options, properties),
    ...(overrides !== undefined && {
      "content-dirs": Object.fromEntries(splitList(overrides).map((entry) => entry.split("=", 2))),
    }),
    ...(isShared(storage) && { shared: 1 }),
    storage: storage.storage,
    type: storage.type,
    content: contentTypes(storage).join(",") || "none",
    digest: configDigest(world),
  };
}

/** storage.cfg is changed under its cluster-wide lock; errors start with the name of the operation. */
async function changeConfig<T>(process: Process, action: string, body: () => T): Promise<T> {
  try {
    return await process.lock(clusterFileLock("storage.cfg"), {}, body);
  } catch (thrown) {
    die(`${action} storage failed: ${failureText(thrown)}`);
  }
}

/** Plugin.pm `decode_value`: drops content types that the type does not support. */
function checkContent(type: string, list: string): string {
  const known = pluginOf({ type }).content;
  const content = splitList(list).filter((name) => known.some((candidate) => candidate === name));
  if (content.includes("none") && content.length > 1) {
    die("unable to combine 'none' with other content types");
  }
  if (content.length === 0 && !known.includes("none")) {
    die("storage does not support content type 'none'");
  }
  return content.join(",") || "none";
}

/** The options of a request: without those that have a separate file, and with `content` reduced to supported types. */
function requestedOptions(type: string, given: Readonly<Record<string, string>>): Record<string, string> {
  const options = sectionParameters(given, ["storage", "type", "digest", "delete", ...pluginOf({ type }).sensitive]);
  return {
    ...options,
    ...(options["content"] !== undefined && { content: checkContent(type, options["content"]) }),
  };
}

function newStorage(id: string, type: string, given: Readonly<Record<string, string>>): Storage {
  const plugin = pluginOf({ type });
  const options = requestedOptions(type, given);
  if (options["nodes"] === "") {
    delete options["nodes"];
  }
  if (plugin.fileBased && plugin.shared) {
    options["path"] ||= `/mnt/pve/${id}`;
  }
  checkNewSection(plugin.options, options);
  // ZFSPoolPlugin.pm `on_add_hook`: where the pool is mounted, if it is there.
  if (type === "zfspool" && options["disable"] !== "1") {
    options["mountpoint"] ||= `/${options["pool"]}`;
  }
  const { path } = options;
  if ((type === "dir" || type === "btrfs") && path !== undefined) {
    if (!/^\/[-/a-zA-Z0-9_.@]+$/.test(path)) {
      die(`illegal path for directory storage: ${path}`);
    }
    options["path"] = path.replace(/\/+/g, "/").replace(/(?<=.)\/$/, "");
  }
  const TiB = 2 ** 40;
  const capacity = { total: TiB, used: Math.round(TiB / 20) };
  return { storage: id, type, options: changedOptions({}, options), capacity, speed: defaultSpeed };
}

/** Directories that every host has, and those of its storages. */
function directoryExists(world: World, path: string): boolean {
  const present = ["/var/lib/vz", "/srv", "/mnt/pve", "/tmp", "/home", "/root", "/opt", "/media"];
  const used = Object.values(world.storages).flatMap(({ options }) => options["path"] ?? []);
  return [...present, ...used].some((directory) => directory === path || directory.startsWith(`${path}/`));
}

/** Whether a disk of the node is mounted there. */
const isMounted = (world: World, node: string, path: string | undefined): boolean =>
  (world.nodes[node]?.diskPools ?? []).some(({ type, name }) => type === "directory" && path === `/mnt/pve/${name}`);

/** The checks of activating a new storage on the node that answers; the hardware is assumed to exist. */
function activate(world: World, node: string, { storage, options }: Storage): void {
  const { path, is_mountpoint: mountPoint } = options;
  if (mountPoint !== undefined && !["no", "0", "off", "false"].includes(mountPoint)) {
    const expected = mountPoint.startsWith("/") ? mountPoint : path;
    if (isMounted(world, node, expected)) {
      return;
    }
    die(
      `unable to activate storage '${storage}' - directory is expected to be a mount point but is not mounted: '${expected}'`,
    );
  }
  const isCreated = (options["create-base-path"] ?? options["mkdir"]) !== "0";
  if (!isCreated && path !== undefined && !directoryExists(world, path)) {
    die(`unable to activate storage '${storage}' - directory '${path}' does not exist or is unreachable`);
  }
}

const iscsiProviders = ["comstar", "istgt", "iet", "LIO"];

/** ZFSPlugin.pm: the iSCSI provider is selected by name, and `on_add_hook` stores where the server has its devices. */
function addProvider({ type, options }: Storage): void {
  const { iscsiprovider: provider } = options;
  if (type === "zfs" && provider !== undefined && !iscsiProviders.includes(provider)) {
    const known = iscsiProviders.join(", ");
    die(
      `${provider}: unknown iscsi provider. Available [${known}] at /usr/share/perl5/PVE/Storage/ZFSPlugin.pm line 35.`,
    );
  }
  if (type === "zfs") {
    options["zfs-base-path"] ??= provider === "comstar" ? "/dev/zvol/rdsk" : "/dev/zvol";
  }
}

/** Plugin.pm `parse_config`: the cluster always has a `local` directory. */
function restoreLocal(world: World): void {
  if (world.storages["local"] === undefined) {
    const content = "backup,images,iso,rootdir,snippets,vztmpl";
    const local = newStorage("local", "dir", { path: "/var/lib/vz", content });
    world.storages["local"] = local;
    findLeftVolumes(world, local);
  }
}

export const storageConfigEndpoints = [
  endpoint({
    method: "GET",
    path: "/storage",
    permissions: { user: "all" },
    parameters: { type: string({ optional: true, enum: storageTypes }) },
    handler: ({ params, world, caller }) =>
      Object.values(world.storages)
        .filter(({ storage }) => caller.hasAny(`/storage/${storage}`, ["Datastore.Audit", "Datastore.AllocateSpace"]))
        .filter(({ type }) => params.type === undefined || params.type === type)
        .map((storage) => describe(world, storage)),
  }),
  endpoint({
    method: "GET",
    path: "/storage/{storage}",
    permissions: { check: ["perm", "/storage/{storage}", ["Datastore.Allocate"]] },
    parameters: { storage: storageId },
    handler: ({ params, world }) => describe(world, getStorage(world, params.storage)),
  }),
  endpoint({
    method: "POST",
    path: "/storage",
    protected: true,
    permissions: { check: ["perm", "/storage", ["Datastore.Allocate"]] },
    parameters: { ...properties, storage: storageId, type: string({ enum: storageTypes }) },
    handler: async (call) => {
      const { storage: id, type } = call.params;
      const storage = newStorage(id, type, call.given);
      const config = await changeConfig(call, "create", () => {
        if (call.world.storages[id] !== undefined) {
          die(`storage ID '${id}' already defined`);
        }
        addProvider(storage);
        requirePassword(storage, call.given);
        const secrets = applySecrets(storage, call.given, [], call.sim.clock.now());
        if (storage.options["master-pubkey"] !== undefined && storage.options["encryption-key"] === undefined) {
          die("'master-pubkey' can only be used together with 'encryption-key'");
        }
        activate(call.world, call.node, storage);
        requireContent(storage);
        checkServer(call.world, call.node, storage);
        call.world.storages[id] = storage;
        findLeftVolumes(call.world, storage);
        return secrets;
      });
      return { storage: id, type, ...(config !== undefined && { config }) };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/storage/{storage}",
    protected: true,
    permissions: { check: ["perm", "/storage", ["Datastore.Allocate"]] },
    parameters: {
      ...changeableStorageOptions,
      storage: storageId,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: async (call) => {
      const { storage: id, delete: deletions } = call.params;
      const { type, config } = await changeConfig(call, "update", () => {
        assertDigest(configDigest(call.world), call.params.digest);
        const storage = getStorage(call.world, id);
        const { options: rules } = pluginOf(storage);
        const options = requestedOptions(storage.type, call.given);
        checkSectionUpdate(rules, options);
        const deleted = checkDeletions(rules, deletions, options);
        const next = { ...storage, options: changedOptions(storage.options, options, deleted) };
        checkVolumeChains(call.world, storage, next);
        const secrets = applySecrets(next, call.given, deleted, call.sim.clock.now());
        Object.assign(storage, { options: next.options, secrets: next.secrets });
        return { type: storage.type, config: secrets };
      });
      return { storage: id, type, ...(config !== undefined && { config }) };
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/storage/{storage}",
    protected: true,
    permissions: { check: ["perm", "/storage", ["Datastore.Allocate"]] },
    parameters: { storage: storageId },
    handler: async (call) => {
      await changeConfig(call, "delete", () => {
        const storage = getStorage(call.world, call.params.storage);
        const { storage: id } = storage;
        const isBase = ({ options }: Storage) =>
          options["base"] !== undefined && parseVolumeId(options["base"]).storage === id;
        if (Object.values(call.world.storages).some(isBase)) {
          die("can't remove storage - storage is used as base of another storage");
        }
        delete call.world.storages[id];
        leaveVolumes(call.world, storage);
        restoreLocal(call.world);
      });
      await forgetAccess(call, call.params.storage);
      return null;
    },
  }),
];

/** `remove_storage_access` of pve-access-control: a removed storage is in no pool, and no user has a role on it. */
function forgetAccess(process: Process, id: string): Promise<void> {
  return changeUserConfig(process, `access permissions cleanup for storage ${id} failed`, (access) => {
    access.acl = access.acl.filter(({ path }) => path !== `/storage/${id}`);
    for (const pool of Object.values(access.pools)) {
      pool.storage = pool.storage.filter((member) => member !== id);
    }
  });
}

/** LVMPlugin.pm `on_update_hook_full`. */
function checkVolumeChains(world: World, before: Storage, after: Storage): void {
  const isLost = imageFormats(before).default === "qcow2" && imageFormats(after).default !== "qcow2";
  const hasImage = volumesIn(world, before.storage).some(({ format }) => format === "qcow2");
  if (before.type === "lvm" && isLost && hasImage) {
    die(`${before.storage} - cannot disable 'snapshot-as-volume-chain' while a qcow2 image exists`);
  }
}
