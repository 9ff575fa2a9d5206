import { bool, group, inherits, int, list, matches, number, oneOf, set, string } from "#kit";
import { absentDevices } from "../../guest/absent-devices.ts";
import { guestSettings } from "../../guest/settings.ts";
import { families, removeDevice } from "../slots.ts";

const keymaps = [
  ...(["da", "de", "de-ch", "en-gb", "en-us", "es", "fi", "fr", "fr-be", "fr-ca", "fr-ch", "hu", "is"] as const),
  ...(["it", "ja", "lt", "mk", "nl", "no", "pl", "pt", "pt-br", "sl", "sv", "tr"] as const),
] as const;

/** `0` is nothing, `1` the default (qemu-server: src/PVE/QemuServer.pm, `parse_hotplug_features`). */
const hotplugWords = {
  parse: (items: unknown) =>
    (items as readonly string[]).flatMap((item) =>
      item === "0" ? [] : item === "1" ? ["network", "disk", "usb"] : [item],
    ),
  print: (items: unknown) => ((items as readonly string[]).length === 0 ? ["0"] : items),
};

/** Settings that are one option each. Server side: qemu-server `src/PVE/QemuServer.pm`, `$confdesc`. */
export const options = {
  ...guestSettings("name"),
  ...absentDevices({ families: families.plain, example: "net0", removeSlot: removeDevice }),
  os_type: inherits(
    oneOf(["other", "wxp", "w2k", "w2k3", "w2k8", "wvista", "win7", "win8", "win10", "win11", "l24", "l26", "solaris"]),
    "ostype",
    "Operating system, for fitting defaults.",
  ),
  boot_order: inherits(list(string()), "boot/order", 'Devices to boot from, such as `["scsi0", "net0"]`.', {
    clears: ["boot/legacy", "bootdisk"],
  }),
  tablet: inherits(bool(), "tablet", "Whether the pointer is a tablet, so that consoles follow the mouse."),
  keyboard: inherits(oneOf(keymaps), "keyboard", "Keymap of the console."),
  acpi: inherits(bool(), "acpi", "Whether the guest has ACPI."),
  kvm: inherits(bool(), "kvm", "Whether the processor's virtualisation is used."),
  local_time: inherits(bool(), "localtime", "Whether the hardware clock has local time."),
  start_date: inherits(
    string({
      check: matches(
        /^(now|\d{4}-\d{1,2}-\d{1,2}(T\d{1,2}:\d{1,2}:\d{1,2})?)$/,
        "`now`, or a date such as `2026-01-31` or `2026-01-31T12:00:00`",
      ),
    }),
    "startdate",
    "Date the hardware clock starts with, or `now`.",
  ),
  time_drift_fix: inherits(bool(), "tdf", "Whether lost clock ticks are made up for."),
  freeze: inherits(bool(), "freeze", "Whether the processor is stopped at start."),
  allow_reboot: inherits(bool(), "reboot", "Whether the guest may reboot; otherwise it stops."),
  hotplug: inherits(
    set(oneOf(["network", "disk", "cpu", "memory", "usb", "cloudinit"])),
    "hotplug",
    "What can be changed while it runs.",
    { as: hotplugWords, unset: null },
  ),
  args: inherits(string(), "args", "Arguments for QEMU. Needs `root@pam`."),
  hook_script: inherits(string(), "hookscript", "Snippet run at certain moments of its life. Needs `root@pam`."),
  migration: group(
    {
      max_downtime: inherits(number({ min: 0 }), "migrate_downtime", "Seconds it may stand still at the end."),
      max_speed: inherits(int({ min: 0 }), "migrate_speed", "MB/s; `0` is no limit."),
    },
    "How it moves to another node.",
  ),
  vm_state_storage: inherits(string(), "vmstatestorage", "Storage for memory of snapshots and of hibernation.", {
    refers: "storage",
  }),
  vm_generation_id: inherits(
    string({
      check: matches(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0)$/i, "a UUID, or `0` for none"),
      same: (a, b) => a.toLowerCase() === b.toLowerCase(),
    }),
    "vmgenid",
    "Generation ID; PVE makes one. Only `root@pam` may set it.",
    { assigned: true, undo: "to_value" },
  ),
} as const;
