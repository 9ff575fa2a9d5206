import type { ConfigDraft } from "#kit";
import type { LiveChange } from "../guest/kind.ts";
import { isCdrom } from "./blocks/drive-slots.ts";
import { isVolumeSlot } from "./slots.ts";

/** Of no meaning to the running process, so PVE takes them over at once (`$fast_plug_option`). */
const immediate =
  /^(description|hookscript|lock|migrate_downtime|migrate_speed|name|onboot|protection|shares|startup|tags|vmstatestorage|cpuunits|cpulimit)$/;

/** What PVE writes on its cloud-init drive: stored at once, read by the guest when it boots. */
export const cloudInitOption = /^(ci(user|password|type|upgrade|custom)|nameserver|searchdomain|sshkeys|ipconfig\d+)$/;

/**
 * Whether a running VM takes the change of an option over at once; if not, the change waits for a restart.
 * Server side: qemu-server `src/PVE/QemuServer.pm`, `vmconfig_hotplug_pending`.
 */
export function takesEffectLive(option: string, change: LiveChange): boolean {
  if (immediate.test(option) || cloudInitOption.test(option)) return true;
  if (isVolumeSlot(option)) return isLiveDrive(option, change);
  const { running, after } = change;
  const features = hotplugFeatures(running);
  switch (option.replace(/\d+$/, "")) {
    case "hotplug":
      return ![running, after].some((draft) => /cpu|memory/.test(String(draft.raw("hotplug") ?? "")));
    case "tablet":
      return features.includes("usb");
    case "usb":
      return features.includes("usb") && hasUsbHotplug(running);
    case "vcpus":
      return features.includes("cpu");
    case "memory":
      return features.includes("memory");
    case "balloon":
      return hasBalloon(running) === hasBalloon(after);
    case "net":
      return features.includes("network") || isSameCard(option, change);
    case "agent":
      return isSameButTrim(change);
    default:
      return false;
  }
}

/** `0` is nothing, `1` or nothing at all the default (`parse_hotplug_features`). */
export function hotplugFeatures(running: ConfigDraft): readonly string[] {
  const text = String(running.raw("hotplug") ?? "1");
  return text === "0" ? [] : text === "1" ? ["network", "disk", "usb"] : text.split(/[,; ]+/);
}

const hasBalloon = (draft: ConfigDraft): boolean => String(draft.raw("balloon") ?? 1) !== "0";

/** Linux of today, and Windows above 7. */
const hasUsbHotplug = (running: ConfigDraft): boolean => /^(l26|win([89]|\d\d))$/.test(String(running.raw("ostype")));

/** PVE compares these as numbers, so that none is 0. */
const isSameNumber = (key: string, option: string, { running, after }: LiveChange): boolean =>
  Number(running.read({ option, key }) ?? 0) === Number(after.read({ option, key }) ?? 0);

const agreeOn = (keys: readonly string[], option: string, { running, after }: LiveChange): boolean =>
  keys.every((key) => String(running.read({ option, key })) === String(after.read({ option, key })));

/** `vmconfig_update_net`: bridge, VLAN, limits and link are set on the host; anything else is another device. */
function isSameCard(option: string, change: LiveChange): boolean {
  const hasBridges = [change.running, change.after].every((draft) => draft.read({ option, key: "bridge" }) !== null);
  const isSameSize = isSameNumber("queues", option, change) && isSameNumber("mtu", option, change);
  return hasBridges && isSameSize && agreeOn(["model", "macaddr"], option, change);
}

/** `vmconfig_update_agent`: only the trimming of cloned disks can be switched; of a disabled agent nothing else counts. */
function isSameButTrim(change: LiveChange): boolean {
  const { running, after } = change;
  const [was, is] = [running, after].map((draft) => draft.read({ option: "agent", key: "enabled" }) === true);
  const isThere = after.has("agent") && !["", "0"].includes(String(running.raw("agent") ?? ""));
  return isThere && was === is && (!is || agreeOn(["type", "freeze-fs"], "agent", change));
}

/** What of a disk is fixed while it is attached. */
const fixedKeys = ["aio", "discard", "iothread", "queues", "product", "cache", "ssd", "vendor", "ro"];

/** `vmconfig_update_disk`, and `vm_deviceunplug`, which keeps what the VM has booted from. */
function isLiveDrive(slot: string, change: LiveChange): boolean {
  const { running, after } = change;
  const canPlug = hotplugFeatures(running).includes("disk") && /^(scsi|virtio)/.test(slot);
  if (!running.has(slot)) return canPlug;
  const isBooted = (running.read({ option: "boot", key: "order" }) as readonly string[] | null)?.includes(slot);
  if (!after.has(slot)) return canPlug && !isBooted;
  if (isCdrom(running, slot)) return isCdrom(after, slot);
  if (/^(efidisk|tpmstate)/.test(slot)) return false;
  return agreeOn(["file"], slot, change) ? agreeOn(fixedKeys, slot, change) : canPlug && !isBooted;
}
