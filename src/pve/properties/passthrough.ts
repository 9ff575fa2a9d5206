import { flag, list, text, word } from "./fields.ts";
import { propertyString, type ValuesOf } from "./property-string.ts";

// Server side: qemu-server `src/PVE/QemuServer/{PCI,USB,Virtiofs}.pm`.

export const hostpci = propertyString({
  defaultKey: "host",
  fields: {
    /** PCI addresses; several functions of one device form one entry. Only root@pam may set it: tokens use `mapping`. */
    host: list(),
    mapping: text(),
    "device-id": text(),
    driver: word("vfio", "keep"),
    "legacy-igd": flag(),
    mdev: text(),
    pcie: flag(),
    rombar: flag(),
    romfile: text(),
    "sub-device-id": text(),
    "sub-vendor-id": text(),
    "vendor-id": text(),
    "x-vga": flag(),
  },
});

export const usb = propertyString({
  defaultKey: "host",
  fields: { host: text(), mapping: text(), usb3: flag() },
});

export const virtiofs = propertyString({
  defaultKey: "dirid",
  fields: {
    dirid: text(),
    cache: word("auto", "always", "metadata", "never"),
    "direct-io": flag(),
    "expose-acl": flag(),
    "expose-xattr": flag(),
  },
});

export type HostPci = ValuesOf<typeof hostpci>;
export type Usb = ValuesOf<typeof usb>;
export type Virtiofs = ValuesOf<typeof virtiofs>;
