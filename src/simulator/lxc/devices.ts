import { die } from "../core/kernel/failure.ts";
import { parsePropertyString } from "../core/schema/property-string.ts";
import { usbDevices } from "../core/world/host-devices.ts";
import { deviceFormat } from "./formats.ts";

// pve-container `src/PVE/LXC/Tools.pm`, `get_device_mode_and_rdev`.

const three = (value: number) => String(value).padStart(3, "0");

/** Device nodes of every host. */
const hostDevices = new Set([
  ...["null", "zero", "full", "random", "urandom", "tty", "console", "ptmx", "fuse", "kvm", "net/tun", "kmsg", "hwrng"],
  ...["ttyS0", "ttyS1", "ttyS2", "ttyS3", "sda", "sda1", "sda2", "sda3", "loop0", "dri/card0", "dri/renderD128"],
  ...["watchdog", "vhost-net", "vhost-vsock", "loop-control", "mapper/control"],
  ...usbDevices.map(({ busnum, devnum }) => `bus/usb/${three(busnum)}/${three(devnum)}`),
]);
const deviceDirectories = new Set(["", "net", "dri", "bus", "bus/usb", "mapper", "shm", "pts", "disk"]);

export function hasHostDevice(path: string): boolean {
  return hostDevices.has(path.replace(/^\/dev\//, ""));
}

/** Dies unless a `devN` names a device node of the host. */
export function checkDevice(key: string, text: string): void {
  const path = parsePropertyString(deviceFormat, text)["path"];
  if (path === undefined) {
    die(`Path is not defined for passthrough device ${key} at /usr/share/perl5/PVE/LXC/Config.pm line 1381.`);
  }
  if (deviceDirectories.has(path.replace(/^\/dev\/?/, "").replace(/\/$/, ""))) {
    die(`${path} is not a device`);
  }
  if (!hasHostDevice(path)) {
    die(`Device ${path} does not exist`);
  }
}
