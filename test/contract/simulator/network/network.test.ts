import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const { ask, answer, run } = lab({
  ...labSeed,
  acl: [
    ...labSeed.acl,
    { path: "/sdn/zones/localnetwork/vmbr0/7", type: "user", ugid: "owner@pve", roleid: "PVESDNUser" },
  ],
});

const network = "/nodes/pve1/network";
const names = async (query: Record<string, string> = {}, token?: string) =>
  ((await ask(`GET ${network}`, query, token)) as { iface: string }[]).map(({ iface }) => iface);

describe("the interfaces of a node", () => {
  test("are listed with what follows from their configuration", async () => {
    expect(await names()).toEqual(["eno1", "eno2", "vmbr0"]);
    expect(await ask(`GET ${network}/vmbr0`)).toMatchObject({
      type: "bridge",
      method: "static",
      method6: "manual",
      address: "192.0.2.11",
      netmask: "24",
      cidr: "192.0.2.11/24",
      families: ["inet"],
      bridge_stp: "off",
      bridge_fd: "0",
      autostart: 1,
    });
    expect(await ask(`GET ${network}/vmbr9`)).toBe(
      "400 Parameter verification failed. | iface: interface does not exist",
    );
  });

  test.each([
    ["bridge", ["vmbr0"]],
    ["any_bridge", ["vmbr0"]],
    ["eth", ["eno1", "eno2"]],
    ["bond", []],
    ["include_sdn", ["eno1", "eno2", "vmbr0"]],
  ])("of type %s are these", async (type, expected) => {
    expect(await names({ type })).toEqual(expected);
  });

  test("show a bridge to those who may use it, even if only one VLAN of it", async () => {
    expect(await names({ type: "bridge" }, "nobody@pve!tk")).toEqual([]);
    expect(await names({ type: "bridge" }, "owner@pve!tk")).toEqual(["vmbr0"]);
    expect(await names({}, "nobody@pve!tk")).toEqual(["eno1", "eno2"]);
  });
});

describe("a change", () => {
  const bridge = {
    iface: "vmbr1",
    type: "bridge",
    bridge_ports: "eno2",
    cidr: "198.51.100.1/24",
    autostart: 1,
    comments: "lab",
  };

  test("waits until it is applied, and is shown as a difference", async () => {
    expect(await ask(`POST ${network}`, bridge)).toBeNull();
    const { body } = await answer(`GET ${network}`);
    expect(String(body["changes"])).toContain(
      "\n+iface vmbr1 inet static\n+\taddress 198.51.100.1/24\n+\tbridge-ports eno2\n",
    );
    expect(await ask(`GET ${network}/vmbr1`)).toMatchObject({
      address: "198.51.100.1",
      netmask: "24",
      method: "static",
      comments: "lab\n",
    });
    expect(await run(`PUT ${network}`)).toBe("OK");
    expect((await answer(`GET ${network}`)).body).not.toHaveProperty("changes");
    expect(await names()).toEqual(["eno1", "eno2", "vmbr0", "vmbr1"]);
  });

  test("can be taken back", async () => {
    await ask(`POST ${network}`, bridge);
    expect(await ask(`DELETE ${network}`)).toBeNull();
    expect(await names()).toEqual(["eno1", "eno2", "vmbr0"]);
  });

  test("replaces options and deletes them", async () => {
    await ask(`POST ${network}`, bridge);
    expect(
      await ask(`PUT ${network}/vmbr1`, {
        type: "bridge",
        bridge_vlan_aware: 1,
        bridge_vids: "2;10-20",
        delete: "cidr,comments",
      }),
    ).toBeNull();
    const changed = await ask(`GET ${network}/vmbr1`);
    expect(changed).toMatchObject({
      bridge_vlan_aware: 1,
      bridge_vids: "2;10-20",
      method: "manual",
      bridge_ports: "eno2",
    });
    expect(changed).not.toHaveProperty("address");
    expect(changed).not.toHaveProperty("comments");
    expect(await ask(`DELETE ${network}/vmbr1`)).toBeNull();
    expect(await ask(`DELETE ${network}/vmbr1`)).toBe(
      "400 Parameter verification failed. | iface: interface does not exist",
    );
  });

  test.each<[string, Record<string, string | number>, string]>([
    [
      "of a name that is taken",
      { iface: "vmbr0", type: "bridge" },
      "400 Parameter verification failed. | iface: interface already exists",
    ],
    [
      "that uses a port twice",
      { iface: "vmbr1", type: "bridge", bridge_ports: "eno1" },
      "400 Parameter verification failed. | bridge_ports: eno1 is already used on interface 'vmbr0'.",
    ],
    [
      "that uses a port that is not there",
      { iface: "vmbr1", type: "bridge", bridge_ports: "eno9" },
      "500 bridge 'vmbr1' - unable to find bridge port 'eno9'",
    ],
    [
      "with an address given twice",
      { iface: "vmbr1", type: "bridge", cidr: "192.0.2.5/24", address: "192.0.2.5", netmask: "255.255.255.0" },
      "400 Parameter verification failed. | address: address conflicts with cidr",
    ],
    [
      "with an address without a mask",
      { iface: "vmbr1", type: "bridge", address: "192.0.2.5" },
      "400 Parameter verification failed. | netmask: missing property required by 'address'",
    ],
    [
      "of a VLAN without a parent",
      { iface: "vlan5", type: "vlan", "vlan-raw-device": "eno9" },
      "500 vlan 'vlan5' - unable to find parent 'eno9'",
    ],
    [
      "of a bond with other things than cards",
      { iface: "bond0", type: "bond", slaves: "vmbr0" },
      "500 bond 'bond0' - wrong interface type on slave 'vmbr0' ('bridge' != 'eth or bond')",
    ],
    [
      "for a switch that is not installed",
      { iface: "ovs0", type: "OVSBridge" },
      "500 Open VSwitch is not installed (need package 'openvswitch-switch')",
    ],
  ])("%s is refused", async (_, form, expected) => {
    expect(await ask(`POST ${network}`, form)).toBe(expected);
    expect((await answer(`GET ${network}`)).body).not.toHaveProperty("changes");
  });

  test("allows one default gateway", async () => {
    await ask(`PUT ${network}/vmbr0`, { type: "bridge", cidr: "192.0.2.11/24", gateway: "192.0.2.1" });
    expect(await ask(`POST ${network}`, { ...bridge, gateway: "198.51.100.254" })).toBe(
      "400 Parameter verification failed. | gateway: Default gateway already exists on interface 'vmbr0'.",
    );
  });

  test("needs Sys.Modify on the node", async () => {
    expect(await ask(`POST ${network}`, bridge, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/nodes/pve1, Sys.Modify)",
    );
  });
});
