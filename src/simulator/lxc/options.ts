import { startupOrderFormat, tagListFormat } from "../core/schema/formats.ts";
import { dnsNameFormat, dnsNameListFormat } from "../core/schema/network-formats.ts";
import { boolean, indexed, integer, number, string } from "../core/schema/schema.ts";
import { volumeIdFormat } from "../storage/formats.ts";
import { systems } from "../storage/template-contents.ts";
import {
  deviceFormat,
  featuresFormat,
  mountPointFormat,
  nameServerListFormat,
  networkFormat,
  rootFormat,
  timezoneFormat,
  unusedFormat,
} from "./formats.ts";

const printable = "[^\\x00-\\x08\\x0a-\\x1F\\x7F]";
const off = boolean({ optional: true, default: 0 });

/** All options of a container's configuration (pve-container `src/PVE/LXC/Config.pm`, `$confdesc`). */
export const containerOptions = {
  arch: string({
    optional: true,
    enum: ["amd64", "i386", "arm64", "armhf", "riscv32", "riscv64"],
    default: "amd64",
  }),
  cmode: string({ optional: true, enum: ["shell", "console", "tty"], default: "tty" }),
  console: boolean({ optional: true, default: 1 }),
  cores: integer({ optional: true, minimum: 1, maximum: 8192 }),
  cpulimit: number({ optional: true, minimum: 0, maximum: 8192, default: 0 }),
  cpuunits: integer({ optional: true, minimum: 0, maximum: 500000 }),
  debug: off,
  description: string({ optional: true, maxLength: 8192 }),
  entrypoint: string({ optional: true, pattern: `${printable}+`, default: "/sbin/init" }),
  env: string({ optional: true, pattern: `(?:\\w+=${printable}*)(?:\\0\\w+=${printable}*)*` }),
  features: string({ optional: true, format: featuresFormat }),
  hookscript: string({ optional: true, format: volumeIdFormat }),
  hostname: string({ optional: true, format: dnsNameFormat, maxLength: 255 }),
  lock: string({
    optional: true,
    enum: [
      "backup",
      "create",
      "destroyed",
      "disk",
      "fstrim",
      "migrate",
      "mounted",
      "rollback",
      "snapshot",
      "snapshot-delete",
    ],
  }),
  memory: integer({ optional: true, minimum: 16, default: 512 }),
  nameserver: string({ optional: true, format: nameServerListFormat }),
  onboot: off,
  ostype: string({
    optional: true,
    enum: [...systems, "unmanaged"],
  }),
  protection: off,
  rootfs: string({ optional: true, format: rootFormat }),
  searchdomain: string({ optional: true, format: dnsNameListFormat }),
  startup: string({ optional: true, format: startupOrderFormat }),
  swap: integer({ optional: true, minimum: 0, default: 512 }),
  tags: string({ optional: true, format: tagListFormat }),
  template: off,
  timezone: string({ optional: true, format: timezoneFormat }),
  tty: integer({ optional: true, minimum: 0, maximum: 6, default: 2 }),
  unprivileged: off,
  ...indexed("dev", 256, string({ optional: true, format: deviceFormat })),
  ...indexed("mp", 256, string({ optional: true, format: mountPointFormat })),
  ...indexed("net", 32, string({ optional: true, format: networkFormat })),
  ...indexed("unused", 256, string({ optional: true, format: unusedFormat })),
};

export const isMountKey = (key: string) => key === "rootfs" || /^mp\d+$/.test(key);
export const isNetworkKey = (key: string) => /^net\d+$/.test(key);
export const isDeviceKey = (key: string) => /^dev\d+$/.test(key);
export const isUnusedKey = (key: string) => /^unused\d+$/.test(key);

/** Volumes as parameters of calls: the root and the mount points. */
export const mountKeys = ["rootfs", ...Array.from({ length: 256 }, (_, index) => `mp${index}`)];

/** These and the unused volumes. */
export const volumeKeys = [...mountKeys, ...Array.from({ length: 256 }, (_, index) => `unused${index}`)];
