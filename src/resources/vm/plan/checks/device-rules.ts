import type { ConfigDraft } from "#kit";
import { families, optionPattern } from "../../slots.ts";
import { type Conflict, devicesIn, isQ35, type Rule } from "./rule.ts";

const cpus32bit = ["486", "pentium", "pentium2", "pentium3", "coreduo", "athlon", "kvm32", "qemu32"];

/** qemu-server: src/PVE/QemuServer/Helpers.pm, `windows_version`. */
const isWindows = (os: string): boolean => /^(wxp|w2k3?|w2k8|wvista|win\d+)$/.test(os);

const isSet = (value: unknown): boolean => value === true || Number(value) === 1;

/** The version of a machine type that names one: `pc-q35-9.2+pve1` is 9. */
const majorOf = (type: string): number | null => {
  const [, major] = /-(\d+)\.\d+/.exec(type) ?? [];
  return major === undefined ? null : Number(major);
};

const machineOf = (draft: ConfigDraft): string => String(draft.read({ option: "machine", key: "type" }) ?? "");

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `config_to_command`, and what it calls. */
export const deviceRules: readonly Rule[] = [
  {
    when: "started",
    options: /^(cores|sockets|vcpus)$/,
    attributes: [
      ["cpu", "cores"],
      ["cpu", "sockets"],
      ["cpu", "vcpus"],
    ],
    find(draft) {
      const [cores = 1, sockets = 1] = ["cores", "sockets"].map((option) => Number(draft.raw(option) ?? 1));
      const vcpus = Number(draft.raw("vcpus") ?? 0);
      if (vcpus <= cores * sockets) return [];
      return [
        {
          path: ["cpu", "vcpus"],
          detail: `${vcpus} processors cannot be plugged into ${sockets} × ${cores} cores. Use at most ${cores * sockets}, or raise \`cpu.cores\`.`,
        },
      ];
    },
  },
  {
    when: "started",
    options: /^(bios|cpu)$/,
    attributes: [["bios"], ["cpu", "type"]],
    find(draft) {
      const type = String(draft.read({ option: "cpu", key: "cputype" }) ?? "");
      if (draft.raw("bios") !== "ovmf" || !cpus32bit.includes(type)) return [];
      return [
        {
          path: ["cpu", "type"],
          detail: `UEFI does not run on the 32-bit processor \`${type}\`. Use another type, or \`bios = "seabios"\`.`,
        },
      ];
    },
  },
  {
    when: "started",
    options: /^(usb\d+|ostype)$/,
    attributes: [["os_type"]],
    find(draft) {
      const os = String(draft.raw("ostype") ?? "other");
      const isModern = os === "l26" || Number(/^win(\d+)$/.exec(os)?.[1] ?? 0) > 7;
      const slot = draft.slots(families.usb).find((usb) => Number(usb.slice(3)) >= 5);
      if (slot === undefined || isModern) return [];
      return [
        {
          path: ["usb", slot],
          detail: `Slots above \`usb4\` need a guest of Linux 2.6 or Windows 8 and newer, and \`os_type\` is \`${os}\`. Use a lower slot, or correct \`os_type\`.`,
        },
      ];
    },
  },
  {
    when: "started",
    options: optionPattern(families.disks, "machine"),
    attributes: [["machine", "type"]],
    find(draft) {
      const drives = devicesIn(draft, families.disks);
      if ((majorOf(machineOf(draft)) ?? 10) < 10) return [];
      return drives.flatMap(({ slot, read }) =>
        isSet(read("snapshot"))
          ? [
              {
                path: ["disks", slot, "snapshot"],
                detail:
                  "QEMU machines from version 10.0 on cannot throw writes away. Leave `snapshot` out, or use an older `machine.type`.",
              },
            ]
          : [],
      );
    },
  },
  {
    when: "started",
    options: /^net\d+$/,
    attributes: [],
    find: (draft) =>
      devicesIn(draft, families.networks).flatMap(({ slot, read }) => {
        const mtu = Number(read("mtu") ?? 0);
        const isUsed = read("model") === "virtio" && read("bridge") !== null;
        if (!isUsed || mtu <= 1 || mtu >= 576) return [];
        return [
          {
            path: ["networks", slot, "mtu"],
            detail: `An MTU of ${mtu} is below 576, the least that IP allows. Use 576 or more, or \`1\` to take the bridge's.`,
          },
        ];
      }),
  },
  {
    when: "started",
    options: /^(virtiofs\d+|ostype)$/,
    attributes: [["os_type"]],
    find: (draft) =>
      devicesIn(draft, families.virtiofs).flatMap(({ slot, read }) =>
        isSet(read("expose-acl")) && isWindows(String(draft.raw("ostype") ?? ""))
          ? [
              {
                path: ["virtiofs", slot, "expose_acl"],
                detail:
                  "Windows cannot mount a directory whose access control lists are exposed. Leave `expose_acl` out.",
              },
            ]
          : [],
      ),
  },
  {
    when: "started",
    options: /^(amd-sev|intel-tdx|bios)$/,
    attributes: [["bios"]],
    find: (draft) =>
      [["amd-sev", "amd_sev"] as const, ["intel-tdx", "intel_tdx"] as const].flatMap(([option, attribute]) =>
        draft.has(option) && draft.raw("bios") !== "ovmf"
          ? [{ path: [attribute], detail: 'Encrypted memory needs UEFI. Set `bios = "ovmf"`.' }]
          : [],
      ),
  },
  {
    when: "started",
    options: /^(hostpci\d+|machine|vga)$/,
    attributes: [
      ["machine", "type"],
      ["vga", "type"],
    ],
    find: pciConflicts,
  },
];

/** qemu-server: src/PVE/QemuServer/PCI.pm, `parse_hostpci_devices`. */
function pciConflicts(draft: ConfigDraft): Conflict[] {
  const devices = devicesIn(draft, families.pci);
  const legacy = devices.filter(({ read }) => isSet(read("legacy-igd")));
  return devices.flatMap(({ slot, read }): Conflict[] => {
    const conflict = (member: string, detail: string) => [{ path: ["pci", slot, member], detail }];
    if (isSet(read("pcie")) && !isQ35(draft))
      return conflict("pcie", '`pcie` needs a q35 machine. Set `machine.type = "q35"`, or leave `pcie` out.');
    if (!isSet(read("legacy-igd"))) return [];
    if (legacy.length > 1) return conflict("legacy_igd", "Only one device can be used in legacy mode.");
    if (draft.read({ option: "vga", key: "type" }) !== "none")
      return conflict("legacy_igd", 'Legacy mode needs `vga = { type = "none" }`.');
    if (read("rombar") !== null && !isSet(read("rombar")))
      return conflict("rombar", "Legacy mode needs the device's ROM. Leave `rombar` out.");
    if (isSet(read("x-vga"))) return conflict("primary_gpu", "Legacy mode excludes `primary_gpu`.");
    if (read("mdev") !== null) return conflict("mdev", "Legacy mode excludes `mdev`.");
    return isQ35(draft) ? conflict("legacy_igd", "Legacy mode does not work on a q35 machine.") : [];
  });
}
