import { bool, derived, group, inherits, int, list, mebibytes, number, oneOf, size, string, zoneFault } from "#kit";
import { absentDevices } from "../../guest/absent-devices.ts";
import { guestSettings } from "../../guest/settings.ts";
import { ipv4, ipv6 } from "../../guest/validate/addresses.ts";
import { dnsName } from "../../guest/validate/names.ts";
import { families } from "../slots.ts";

const nameServer = string({
  check: (text) =>
    ipv4.isAddress(text) || ipv6.isAddress(text.replace(/^(fe80:[^%]+)%[\w.:]+$/i, "$1"))
      ? undefined
      : "Must be an IP address.",
});

/** PVE knows the zones of places and `UTC` (pve-common: src/PVE/JSONSchema.pm, `pve_verify_timezone`). */
function placeFault(zone: string): string | undefined {
  const areas = /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;
  if (zone === "host" || zone === "UTC") return undefined;
  return areas.test(zone) && !zoneFault(zone)
    ? undefined
    : "Must be `host`, `UTC`, or a place such as `Europe/Vienna`.";
}

/** Settings that are one option each. Server side: pve-container `src/PVE/LXC/Config.pm`, `$confdesc`. */
export const options = {
  ...guestSettings("hostname"),
  ...absentDevices({
    families: families.plain,
    example: "net0",
    removeSlot: (draft, slot) => draft.set(slot, null),
  }),
  cpu: group(
    {
      cores: inherits(int({ min: 1, max: 8192 }), "cores", "Cores; all of the node when not given."),
      limit: inherits(number({ min: 0, max: 8192 }), "cpulimit", "Processor time in cores; `0` is no limit."),
      // More is stored as 10000 on hosts with cgroup v2, which PVE 9 requires.
      units: inherits(int({ min: 1, max: 10_000 }), "cpuunits", "Weight against other guests."),
    },
    "Processors.",
  ),
  memory: group(
    {
      size: inherits(size({ multipleOf: "M", min: "16M" }), "memory", "Memory, such as `2G`.", {
        as: mebibytes,
        undo: "to_value",
      }),
      swap: inherits(size({ multipleOf: "M" }), "swap", "Swap, such as `512M`; `0` is none.", {
        as: mebibytes,
        undo: "to_value",
      }),
    },
    "Memory.",
  ),
  dns: group(
    {
      servers: inherits(list(nameServer), "nameserver", "Name servers; the host's when not given."),
      search_domains: inherits(
        list(string({ check: dnsName })),
        "searchdomain",
        "Domains for short names; the host's when not given.",
      ),
    },
    "Name resolution in the container.",
  ),
  console: group(
    {
      enabled: inherits(bool(), "console", "Whether it has a console device."),
      mode: inherits(
        oneOf(["tty", "console", "shell"]),
        "cmode",
        "What the console shows: a login on a `tty`, the `console` device, or a `shell`.",
      ),
      ttys: inherits(int({ min: 0, max: 6 }), "tty", "Number of terminals."),
    },
    "The console.",
  ),
  os_type: inherits(
    oneOf([
      "debian",
      "devuan",
      "ubuntu",
      "centos",
      "fedora",
      "opensuse",
      "archlinux",
      "alpine",
      "gentoo",
      "nixos",
      "unmanaged",
    ]),
    "ostype",
    "Distribution, by which PVE writes files in the container; detected from the image. `unmanaged` writes none.",
    { undo: "to_value" },
  ),
  architecture: inherits(
    oneOf(["amd64", "i386", "arm64", "armhf", "riscv32", "riscv64"]),
    "arch",
    "Processor architecture; detected from the image.",
    { undo: "to_value" },
  ),
  timezone: inherits(
    string({ check: placeFault }),
    "timezone",
    "Time zone, such as `Europe/Vienna`; `host` is that of the node.",
  ),
  hook_script: inherits(string(), "hookscript", "Snippet run at certain moments of its life. Needs `root@pam`."),
  debug: inherits(bool(), "debug", "Whether the runtime writes more to its log."),
  unprivileged: derived(
    bool(),
    "Whether root in the container is an ordinary user of the host. Default: yes. Fixed at creation: another value replaces the container. A privileged one needs `Sys.Modify` on `/`.",
    { parse: (draft) => Number(draft.raw("unprivileged") ?? 0) === 1 },
    { undo: "never", replace: { when: "if the container is of the other kind" } },
  ),
} as const;
