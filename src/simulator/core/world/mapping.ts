import type { ConfigSection } from "./section.ts";

/** mapping/pci.cfg, mapping/usb.cfg and mapping/directory.cfg by id. */
export interface Mappings {
  pci: Record<string, ConfigSection>;
  usb: Record<string, ConfigSection>;
  dir: Record<string, ConfigSection>;
}
