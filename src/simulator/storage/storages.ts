import { die } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { type ContentType, type ImageFormat, pluginOf } from "./plugins.ts";

/** 100 GiB in 12 s: the speed of a full clone on the machine on which the figures of this simulator were measured. */
export const defaultSpeed = (100 * 2 ** 30) / 12;

/** `PVE::Storage::storage_config`. */
export function getStorage(world: World, id: string): Storage {
  return world.storages[id] ?? die(`storage '${id}' does not exist`);
}

export function isDisabled(storage: Storage): boolean {
  return storage.options["disable"] === "1";
}

export function isOnNode(storage: Storage, node: string): boolean {
  const { nodes } = storage.options;
  return nodes === undefined || splitList(nodes).includes(node);
}

/** `storage_check_enabled`: the storage, or the error if it cannot be used on that node. */
export function getEnabledStorage(world: World, id: string, node: string): Storage {
  const storage = getStorage(world, id);
  if (isDisabled(storage)) {
    die(`storage '${id}' is disabled`);
  }
  if (!isOnNode(storage, node)) {
    die(`storage '${id}' is not available on node '${node}'`);
  }
  return storage;
}

/** `activate_storage`: as above, and dies if the storage does not answer. */
export function getActiveStorage(world: World, id: string, node: string): Storage {
  const storage = getEnabledStorage(world, id, node);
  if (storage.inactive === true) {
    die(`storage '${id}' is not online`);
  }
  requireContent(storage);
  return storage;
}

/** Plugin.pm `activate_storage` looks for the directory of every content type, and `none` has no directory. */
export function requireContent(storage: Storage): void {
  if (!isUsable(storage)) {
    die("unknown vtype 'none'");
  }
}

/** Whether it can be activated. */
export function isUsable(storage: Storage): boolean {
  const lacksContent = pluginOf(storage).fileBased && contentTypes(storage).length === 0;
  return storage.inactive !== true && !lacksContent;
}

/** Storages that are available on the node, in the order of storage.cfg. */
export function enabledStorages(world: World, node: string): Storage[] {
  return Object.values(world.storages).filter((storage) => !isDisabled(storage) && isOnNode(storage, node));
}

/** The same content on every node. */
export function isShared(storage: Storage): boolean {
  return pluginOf(storage).shared || storage.options["shared"] === "1";
}

/** Content types for which the storage is configured; empty for `none`. */
export function contentTypes(storage: Storage): ContentType[] {
  const { content } = storage.options;
  const types = content === undefined ? pluginOf(storage).defaultContent : splitList(content);
  return types.filter((type): type is ContentType => type !== "none");
}

export function holds(storage: Storage, content: ContentType): boolean {
  return contentTypes(storage).includes(content);
}

/** `get_formats`: image formats for the current configuration of the storage. */
export function imageFormats(storage: Storage): { default: ImageFormat; valid: readonly ImageFormat[] } {
  const { formats } = pluginOf(storage);
  if (storage.type === "lvm") {
    return storage.options["snapshot-as-volume-chain"] === "1"
      ? { default: "qcow2", valid: formats }
      : { default: "raw", valid: ["raw"] };
  }
  const configured = formats.find((format) => format === storage.options["format"]);
  return { default: configured ?? "raw", valid: formats };
}

/** `resolve_format_hint`: the requested format if the storage supports it, otherwise its default. */
export function resolveFormat(storage: Storage, hint?: string): ImageFormat {
  const formats = imageFormats(storage);
  return formats.valid.find((format) => format === hint) ?? formats.default;
}

/** Seconds to copy that many bytes; between two storages the slower one determines it. */
export function copySeconds(bytes: number, source: Storage, target: Storage = source): number {
  return bytes / Math.min(source.speed, target.speed);
}
