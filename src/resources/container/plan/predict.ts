import type { RawConfig } from "#kit";
import type { Source } from "../../guest/lifecycle/source.ts";
import { onOtherStorage } from "../../guest/volume.ts";
import { isMountSlot } from "../slots.ts";

/** What no clone takes along (pve-container: src/PVE/API2/LXC.pm, `clone_vm`). */
const leftBehind = /^(unused\d+|template|parent|snaptime|snapstate|lock|digest)$/;

/** The configuration a clone starts with. Names of volumes and MAC addresses in it are the source's, and will differ. */
export function clonedConfig({ config }: Source, storage: string | null | undefined): RawConfig {
  const kept = Object.entries(config.options).filter(([option]) => !leftBehind.test(option));
  const onStorage = (option: string, line: string) =>
    storage && isMountSlot(option) ? onOtherStorage(line, storage) : line;
  return Object.fromEntries(kept.map(([option, line]) => [option, onStorage(option, line)]));
}

/** What PVE writes where an image, or a backup, does not say it (pve-container: src/PVE/API2/LXC.pm, `create_vm`). */
export const defaults: RawConfig = { memory: "512", swap: "512" };

/** The configuration of a container made from an image. */
export const emptyConfig: RawConfig = { ...defaults, unprivileged: "1" };
