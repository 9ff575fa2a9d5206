import { decimal, flag, integer, list, text, word } from "./fields.ts";
import { propertyString, type ValuesOf } from "./property-string.ts";

// Server side: qemu-server `src/PVE/QemuServer/Network.pm` and `Cloudinit.pm`.

const models = [
  "e1000",
  "e1000-82540em",
  "e1000-82544gc",
  "e1000-82545em",
  "e1000e",
  "i82551",
  "i82557b",
  "i82559er",
  "ne2k_isa",
  "ne2k_pci",
  "pcnet",
  "rtl8139",
  "virtio",
  "vmxnet3",
] as const;

/** A network card. A line without a MAC address gets a *new* one on every write, so keep the one that was read. */
export const net = propertyString({
  defaultKey: "model",
  glue: { key: "macaddr", to: models },
  fields: {
    model: word(...models),
    macaddr: text(),
    bridge: text(),
    firewall: flag(),
    "host-tunnel": flag(),
    link_down: flag(),
    mtu: integer(),
    queues: integer(),
    /** MB/s. */
    rate: decimal(),
    /** VLAN. */
    tag: integer(),
    trunks: list(),
  },
});

/** Cloud-init's address of the card with the same number: `ip=10.0.0.5/24,gw=10.0.0.1`, `ip=dhcp`, `ip6=auto`. */
export const ipconfig = propertyString({ fields: { ip: text(), gw: text(), ip6: text(), gw6: text() } });

export type Net = ValuesOf<typeof net>;
export type IpConfig = ValuesOf<typeof ipconfig>;
