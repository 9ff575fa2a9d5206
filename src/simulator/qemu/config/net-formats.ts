import { bridgeIdFormat } from "../../core/schema/formats.ts";
import {
  ipv4ConfigFormat,
  ipv4Format,
  ipv6ConfigFormat,
  ipv6Format,
  macAddressFormat,
} from "../../core/schema/network-formats.ts";
import { propertyFormat } from "../../core/schema/property-string.ts";
import { boolean, integer, number, string } from "../../core/schema/schema.ts";

// Network devices and their cloud-init addresses: qemu-server `src/PVE/QemuServer/Network.pm`.

const nicModels = [
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

const optionalBoolean = boolean({ optional: true });

export const netFormat = propertyFormat({
  macaddr: string({ optional: true, format: macAddressFormat }),
  model: string({ enum: nicModels, default_key: true }),
  ...Object.fromEntries(
    nicModels.map((model) => [model, string({ optional: true, keyAlias: "model", alias: "macaddr" })]),
  ),
  bridge: string({ optional: true, format: bridgeIdFormat }),
  queues: integer({ optional: true, minimum: 0, maximum: 64 }),
  rate: number({ optional: true, minimum: 0 }),
  tag: integer({ optional: true, minimum: 1, maximum: 4094 }),
  trunks: string({ optional: true, pattern: "\\d+(?:-\\d+)?(?:;\\d+(?:-\\d+)?)*" }),
  firewall: optionalBoolean,
  link_down: optionalBoolean,
  mtu: integer({ optional: true, minimum: 1, maximum: 65520 }),
  "host-tunnel": optionalBoolean,
});

export const ipconfigFormat = propertyFormat(
  {
    ip: string({ optional: true, format: ipv4ConfigFormat, default: "dhcp" }),
    gw: string({ optional: true, format: ipv4Format, requires: "ip" }),
    ip6: string({ optional: true, format: ipv6ConfigFormat, default: "dhcp" }),
    gw6: string({ optional: true, format: ipv6Format, requires: "ip6" }),
  },
  { name: "pve-qm-ipconfig" },
);
