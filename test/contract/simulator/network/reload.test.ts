import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const cluster = lab({ ...labSeed, bridges: [{ ...labSeed.bridges[0], address: undefined }] });
const { ask, answer, run } = cluster;

/** The bridge that carries the address of each node. */
const uplink = { type: "bridge", bridge_ports: "eno1", autostart: 1 };
const addressOf = (node: string) => `${cluster.simulator.sim.world.nodes[node]?.address}/24`;
const repair = (node: string) =>
  fetchControl(JSON.stringify({ action: "repair_network", node })).then(({ status }) => status);

async function fetchControl(body: string) {
  const { url, caCertificate } = cluster.simulator;
  const { Agent, fetch } = await import("undici");
  const dispatcher = new Agent({ connect: { ca: caCertificate } });
  return await fetch(`${url}/simulator/control`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    dispatcher,
  });
}

describe("a reload that takes the address of a node away", () => {
  test("cuts that node off until it is repaired", async () => {
    expect(
      await ask("PUT /nodes/pve2/network/vmbr0", { ...uplink, cidr: "198.51.100.9/24", delete: "cidr" }),
    ).toBeNull();
    await ask("PUT /nodes/pve2/network");
    await expect.poll(async () => (await answer("GET /nodes/pve2/network")).status).toBe(595);
    expect(await ask("GET /nodes")).toContainEqual(expect.objectContaining({ node: "pve2", status: "offline" }));
    expect(await repair("pve2")).toBe(200);
    expect(await ask("GET /nodes/pve2/network/vmbr0")).toMatchObject({ cidr: addressOf("pve2") });
  });

  test("on the node that answers resets every connection", async () => {
    await ask("PUT /nodes/pve1/network/vmbr0", uplink);
    await ask("DELETE /nodes/pve1/network/vmbr0");
    await ask("PUT /nodes/pve1/network");
    await expect.poll(() => ask("GET /version").catch(() => "reset")).toBe("reset");
    expect(await repair("pve1")).toBe(200);
    expect(await ask("GET /version")).toMatchObject({ release: "9.2" });
  });

  test("keeps a node that has its address on another interface", async () => {
    await ask("DELETE /nodes/pve2/network/vmbr0");
    await ask("POST /nodes/pve2/network", { ...uplink, iface: "vmbr1", cidr: addressOf("pve2") });
    expect(await run("PUT /nodes/pve2/network")).toBe("OK");
    expect(await ask("GET /nodes/pve2/network/vmbr1")).toMatchObject({ active: 1 });
  });
});

describe("a file", () => {
  test.each<[string, Record<string, string | number>[], string]>([
    [
      "has no bridge with larger frames than its port",
      [{ iface: "vmbr1", type: "bridge", bridge_ports: "eno2", mtu: 9000 }],
      "500 interface 'eno2' - mtu 1500 is lower than 'vmbr1' - mtu 9000",
    ],
    [
      "has no VLAN with larger frames than its parent",
      [{ iface: "eno2.7", type: "vlan", mtu: 9000 }],
      "500 interface 'eno2' - mtu 1500 is lower than 'eno2.7' - mtu 9000",
    ],
    [
      "has no port with an address",
      [
        { iface: "eno3", type: "eth", cidr: "198.51.100.9/24" },
        { iface: "vmbr1", type: "bridge", bridge_ports: "eno3" },
      ],
      "500 iface eno3 - ip address can't be set on interface if bridged in vmbr1",
    ],
    [
      "has addresses of hosts",
      [{ iface: "vmbr1", type: "bridge", cidr6: "ff02::1/64" }],
      "400 Parameter verification failed. | address: ff02::1 with type 'MULTICAST', cannot be used as host IPv6 address.",
    ],
  ])("%s", async (_, forms, expected) => {
    const answers = [];
    for (const form of forms) {
      answers.push(await ask("POST /nodes/pve1/network", form));
    }
    expect(answers.at(-1)).toBe(expected);
  });

  test("has a physical card even if it says nothing about it", async () => {
    expect(await ask("DELETE /nodes/pve1/network/eno2")).toBeNull();
    expect(await ask("GET /nodes/pve1/network/eno2")).toMatchObject({ type: "eth", exists: 1, method: "manual" });
  });

  test("loses an address that is given without its family, and keeps what is not repeated", async () => {
    await ask("POST /nodes/pve1/network", {
      iface: "vmbr1",
      type: "bridge",
      cidr: "198.51.100.9/24",
      cidr6: "fd00::9/64",
      mtu: 1400,
    });
    await ask("PUT /nodes/pve1/network/vmbr1", { type: "bridge", cidr: "198.51.100.9/24" });
    const entry = await ask("GET /nodes/pve1/network/vmbr1");
    expect(entry).toMatchObject({ families: ["inet"], mtu: "1400", method6: "manual" });
    expect(entry).not.toHaveProperty("cidr6");
  });
});
