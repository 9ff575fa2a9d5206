import { bool, group, inherits, int, list, number, oneOf, slotted, string } from "#kit";
import { bridgeName, cidrOr, ipv4, ipv6, macAddress, vlanRange } from "../../guest/validate/addresses.ts";
import { families } from "../slots.ts";

export const networkModels = [
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

const isStatic = (address: unknown) => typeof address === "string" && address.includes("/");

/** Server side: qemu-server `src/PVE/QemuServer/Network.pm`, `Cloudinit.pm`. */
export const network = {
  networks: slotted(
    {
      families: families.networks,
      // A card must have a model; virtio is what PVE's own interface suggests.
      begin: (draft, slot, { model }) => draft.write({ option: slot, key: "model" }, model ?? "virtio"),
      finish(draft, slot) {
        const option = slot.replace("net", "ipconfig");
        if (!isStatic(draft.read({ option, key: "ip" }))) draft.write({ option, key: "gw" }, null);
        if (!isStatic(draft.read({ option, key: "ip6" }))) draft.write({ option, key: "gw6" }, null);
      },
    },
    {
      model: inherits(oneOf(networkModels), "{slot}/model", "Emulated card; `virtio` for a new one.", {
        undo: "to_value",
      }),
      bridge: inherits(string({ check: bridgeName }), "{slot}/bridge", "Bridge or virtual network it is connected to."),
      vlan: inherits(int({ min: 0, max: 4094 }), "{slot}/tag", "VLAN, 1 to 4094; `0` is untagged.", { none: 0 }),
      trunks: inherits(
        list(string({ check: vlanRange })),
        "{slot}/trunks",
        "VLANs let through, such as `10`, `20-30`.",
      ),
      mac: inherits(
        string({ check: macAddress, same: (a, b) => a.toUpperCase() === b.toUpperCase() }),
        "{slot}/macaddr",
        "MAC address; chosen by PVE when it is not given, and kept.",
        { assigned: true, undo: "to_value" },
      ),
      firewall: inherits(bool(), "{slot}/firewall", "Whether PVE's firewall watches it."),
      link_down: inherits(bool(), "{slot}/link_down", "Whether the cable is pulled."),
      mtu: inherits(int({ min: 0, max: 65_520 }), "{slot}/mtu", "MTU; `1` is the bridge's, `0` leaves it out.", {
        none: 0,
      }),
      queues: inherits(int({ min: 0, max: 64 }), "{slot}/queues", "Number of queues."),
      rate_limit: inherits(number({ min: 0 }), "{slot}/rate", "MB/s at most; `0` is no limit.", { none: 0 }),
      host_tunnel: inherits(bool(), "{slot}/host-tunnel", "Whether tunnelled packets are handed to the host whole."),
      ipv4: group(
        {
          address: inherits(string({ check: cidrOr(ipv4, "dhcp") }), "ipconfig{n}/ip", "`10.0.0.5/24` or `dhcp`."),
          gateway: inherits(string({ check: ipv4.check }), "ipconfig{n}/gw", "Default gateway.", {
            keep: { unless: ["address"], own: true },
          }),
        },
        "What cloud-init configures in the guest for IPv4.",
      ),
      ipv6: group(
        {
          address: inherits(
            string({ check: cidrOr(ipv6, "dhcp", "auto") }),
            "ipconfig{n}/ip6",
            "`fd00::5/64`, `dhcp` or `auto`.",
          ),
          gateway: inherits(string({ check: ipv6.check }), "ipconfig{n}/gw6", "Default gateway.", {
            keep: { unless: ["address"], own: true },
          }),
        },
        "What cloud-init configures in the guest for IPv6.",
      ),
    },
    "Network cards by slot. A slot that is not mentioned is left alone.",
  ),
} as const;
