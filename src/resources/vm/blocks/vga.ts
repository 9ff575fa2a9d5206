import { group, inherits, int, oneOf } from "#kit";

const vgaTypes = [
  "cirrus",
  "none",
  "qxl",
  "qxl2",
  "qxl3",
  "qxl4",
  "serial0",
  "serial1",
  "serial2",
  "serial3",
  "std",
  "virtio",
  "virtio-gl",
  "vmware",
] as const;

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `vga`. */
export const vga = {
  vga: group(
    {
      type: inherits(oneOf(vgaTypes), "vga/type", "Kind of card."),
      memory: inherits(int({ min: 4, max: 512 }), "vga/memory", "Its memory in MiB."),
      clipboard: inherits(oneOf(["vnc"]), "vga/clipboard", "Clipboard shared with the console."),
    },
    "Graphics card.",
  ),
} as const;
