import { bool, type ConfigDraft, group, inherits, int, list, matches, number, numberOf, slotted, string } from "#kit";
import { bridgeName, cidrOr, ipv4, ipv6, macAddress } from "../../guest/validate/addresses.ts";
import { families } from "../slots.ts";

const isStatic = (address: unknown) => typeof address === "string" && address.includes("/");
const interfaceName = matches(
  /^[-_.\w]{1,15}$/,
  "a name of an interface such as `eth0`, of up to 15 letters, digits and `- _ .`",
);
const vlan = matches(/^([1-9]\d{0,2}|[1-3]\d{3}|40[0-8]\d|409[0-4])$/, "a VLAN from 1 to 4094");

/** A gateway belongs to a static address. */
function finish(draft: ConfigDraft, slot: string): void {
  if (!isStatic(draft.read({ option: slot, key: "ip" }))) draft.write({ option: slot, key: "gw" }, null);
  if (!isStatic(draft.read({ option: slot, key: "ip6" }))) draft.write({ option: slot, key: "gw6" }, null);
}

/** Server side: pve-container `src/PVE/LXC/Config.pm`, `$netconf_desc`. */
export const networks = {
  networks: slotted(
    {
      families: families.networks,
      begin: (draft, slot, { name }) => draft.write({ option: slot, key: "name" }, name ?? `eth${numberOf(slot)}`),
      finish,
    },
    {
      name: inherits(
        string({ check: interfaceName }),
        "{slot}/name",
        "Name in the container; `eth0` for a new `net0`, and so on.",
        {
          undo: "to_value",
        },
      ),
      bridge: inherits(string({ check: bridgeName }), "{slot}/bridge", "Bridge or virtual network it is connected to."),
      vlan: inherits(int({ min: 0, max: 4094 }), "{slot}/tag", "VLAN, 1 to 4094; `0` is untagged.", { none: 0 }),
      trunks: inherits(list(string({ check: vlan })), "{slot}/trunks", "VLANs let through, such as `10`."),
      mac: inherits(
        string({ check: macAddress, same: (a, b) => a.toUpperCase() === b.toUpperCase() }),
        "{slot}/hwaddr",
        "MAC address; chosen by PVE when it is not given, and kept.",
        { assigned: true, undo: "to_value" },
      ),
      firewall: inherits(bool(), "{slot}/firewall", "Whether PVE's firewall watches it."),
      link_down: inherits(bool(), "{slot}/link_down", "Whether the cable is pulled."),
      mtu: inherits(
        int({ min: 0, max: 65_535 }),
        "{slot}/mtu",
        "MTU, at least 64 and at most the bridge's; `0` leaves it out.",
        { none: 0 },
      ),
      rate_limit: inherits(number({ min: 0 }), "{slot}/rate", "MB/s at most; `0` is no limit.", { none: 0 }),
      host_managed: inherits(
        bool(),
        "{slot}/host-managed",
        "Whether the host configures the address instead of the container; for OCI images, where PVE sets it for a new one.",
      ),
      ipv4: group(
        {
          address: inherits(
            string({ check: cidrOr(ipv4, "dhcp", "manual") }),
            "{slot}/ip",
            "`10.0.0.5/24`, `dhcp` or `manual`.",
          ),
          gateway: inherits(string({ check: ipv4.check }), "{slot}/gw", "Default gateway.", {
            keep: { unless: ["address"], own: true },
          }),
        },
        "Address in the container for IPv4.",
      ),
      ipv6: group(
        {
          address: inherits(
            string({ check: cidrOr(ipv6, "dhcp", "auto", "manual") }),
            "{slot}/ip6",
            "`fd00::5/64`, `dhcp`, `auto` or `manual`.",
          ),
          gateway: inherits(string({ check: ipv6.check }), "{slot}/gw6", "Default gateway.", {
            keep: { unless: ["address"], own: true },
          }),
        },
        "Address in the container for IPv6.",
      ),
    },
    "Network cards by slot.",
  ),
} as const;
