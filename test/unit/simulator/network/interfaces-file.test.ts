import { expect, test } from "vitest";
import { pendingChanges } from "../../../../src/simulator/network/interfaces-file.ts";

const eno1 = { type: "eth", method: "manual" };
const bridge = {
  type: "bridge",
  method: "static",
  families: ["inet", "inet6"],
  address: "192.0.2.2",
  netmask: "24",
  gateway: "192.0.2.1",
  method6: "static",
  address6: "2001:db8::2",
  netmask6: 64,
  bridge_ports: "eno1",
  bridge_vlan_aware: 1,
  autostart: 1,
  comments: "uplink\n",
};

test("a difference between two files has all lines, marked", () => {
  expect(pendingChanges({ eno1 }, { eno1, vmbr0: bridge })).toBe(
    [
      "--- /etc/network/interfaces",
      "+++ /etc/network/interfaces.new",
      "@@ -1,5 +1,19 @@",
      " auto lo",
      " iface lo inet loopback",
      " ",
      " iface eno1 inet manual",
      " ",
      "+auto vmbr0",
      "+iface vmbr0 inet static",
      "+\taddress 192.0.2.2/24",
      "+\tgateway 192.0.2.1",
      "+\tbridge-ports eno1",
      "+\tbridge-stp off",
      "+\tbridge-fd 0",
      "+\tbridge-vlan-aware yes",
      "+\tbridge-vids 2-4094",
      "+#uplink",
      "+",
      "+iface vmbr0 inet6 static",
      "+\taddress 2001:db8::2/64",
      "+",
      "",
    ].join("\n"),
  );
});

test("a removed option is a line taken away", () => {
  const changes = pendingChanges({ vmbr0: bridge }, { vmbr0: { ...bridge, gateway: undefined } });
  expect(changes.split("\n").filter((line) => /^[-+][^-+]/.test(line))).toEqual(["-\tgateway 192.0.2.1"]);
});

test("bonds and VLANs have lines of their own", () => {
  const changes = pendingChanges(
    {},
    {
      bond0: {
        type: "bond",
        method: "manual",
        slaves: "eno1,eno2",
        bond_mode: "802.3ad",
        bond_xmit_hash_policy: "layer2+3",
        mtu: 9000,
      },
      "bond0.5": { type: "vlan", method: "manual", "vlan-raw-device": "bond0" },
    },
  );
  expect(changes).toContain(
    "+\tbond-slaves eno1 eno2\n+\tbond-miimon 100\n+\tbond-mode 802.3ad\n+\tbond-xmit-hash-policy layer2+3\n+\tmtu 9000\n",
  );
  expect(changes).toContain("+iface bond0.5 inet manual\n+\tvlan-raw-device bond0\n");
});
