import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask, run } = lab();

const failed = (detail: string) => `500 create sdn subnet object failed: 400 Parameter verification failed.\n${detail}`;

async function zoneWithVnet(zone: Record<string, string | number> = {}, vnet: Record<string, string | number> = {}) {
  await ask("POST /cluster/sdn/zones", { zone: "z1", type: "simple", ...zone });
  await ask("POST /cluster/sdn/vnets", { vnet: "v1", zone: "z1", ...vnet });
}

const addSubnet = (subnet: string, form: Record<string, string | number> = {}) =>
  ask("POST /cluster/sdn/vnets/v1/subnets", { subnet, type: "subnet", ...form });

describe("subnets", () => {
  test.each<[string, string, Record<string, string>, string]>([
    [
      "a range is inside the subnet",
      "10.0.0.0/24",
      { "dhcp-range": "start-address=10.0.0.9,end-address=10.0.1.9" },
      failed("dhcp-range: end-address 10.0.1.9 is not in subnet 10.0.0.0/24"),
    ],
    [
      "a range has addresses",
      "10.0.0.0/24",
      { "dhcp-range": "start-address=none,end-address=10.0.0.9" },
      failed("dhcp-range: start-address is not a valid IP none"),
    ],
    ["a gateway of a point-to-point network is outside", "10.0.0.7/32", { gateway: "10.9.9.9" }, ""],
    [
      "an IPv6 gateway is inside",
      "fd00::/64",
      { gateway: "fd00:1::1" },
      failed("gateway: fd00:1::1 is not in subnet fd00::/64"),
    ],
  ])("%s", async (_, subnet, form, expected) => {
    await zoneWithVnet();
    expect((await addSubnet(subnet, form)) ?? "").toBe(expected);
  });

  test("are refused on a VLAN-aware vnet, and the vnet cannot become one", async () => {
    await zoneWithVnet({}, { vlanaware: 1 });
    expect(await addSubnet("10.0.0.0/24")).toBe(failed("vnet: you can't add a subnet on a vlanaware vnet"));
    await ask("PUT /cluster/sdn/vnets/v1", { vlanaware: 0 });
    expect(await addSubnet("10.0.0.0/24")).toBeNull();
    expect(await ask("PUT /cluster/sdn/vnets/v1", { vlanaware: 1 })).toContain(
      "vlanaware: vlanaware vnet is not compatible with subnets",
    );
  });

  test("are read below their own vnet only", async () => {
    await zoneWithVnet();
    await ask("POST /cluster/sdn/vnets", { vnet: "v2", zone: "z1" });
    await addSubnet("10.0.0.0/24");
    expect(await ask("GET /cluster/sdn/vnets/v2/subnets")).toEqual([]);
    expect(await ask("GET /cluster/sdn/vnets/v2/subnets/z1-10.0.0.0-24")).toBe(
      "400 Parameter verification failed. | vnet: wrong vnet",
    );
  });

  test("hold a zone to its address management", async () => {
    await zoneWithVnet({ ipam: "pve" });
    await addSubnet("10.0.0.0/24");
    expect(await ask("PUT /cluster/sdn/zones/z1", { delete: "ipam" })).toContain(
      "ipam: can't change ipam if a subnet is already defined in this zone",
    );
  });
});

describe("the address database", () => {
  const address = (ip: string, mac: string) => ({ zone: "z1", ip, mac });

  test("lists what a zone with DHCP has given away, and keeps the subnet until it is empty", async () => {
    await zoneWithVnet({ ipam: "pve", dhcp: "dnsmasq" });
    await addSubnet("10.0.0.0/24", { gateway: "10.0.0.1" });
    await run("PUT /cluster/sdn");
    expect(await ask("POST /cluster/sdn/vnets/v1/ips", address("10.0.0.7", "BC:24:11:00:00:07"))).toBeNull();
    expect(await ask("GET /cluster/sdn/ipams/pve/status")).toEqual([
      { ip: "10.0.0.1", gateway: 1, zone: "z1", vnet: "v1", subnet: "10.0.0.0/24" },
      { ip: "10.0.0.7", mac: "BC:24:11:00:00:07", zone: "z1", vnet: "v1", subnet: "10.0.0.0/24" },
    ]);
    expect(await ask("DELETE /cluster/sdn/vnets/v1/subnets/z1-10.0.0.0-24")).toBe(
      "500 delete sdn subnet object failed: cannot delete subnet '10.0.0.0/24', not empty",
    );
    const line = "DELETE /cluster/sdn/vnets/v1/ips?zone=z1&ip=10.0.0.7&mac=BC:24:11:00:00:07";
    expect(await ask(line)).toBeNull();
    expect(await ask("DELETE /cluster/sdn/vnets/v1/subnets/z1-10.0.0.0-24")).toBeNull();
  });

  test("moves a card to another address, or gives the old one back", async () => {
    await zoneWithVnet({ ipam: "pve", dhcp: "dnsmasq" });
    await addSubnet("10.0.0.0/24", { gateway: "10.0.0.1" });
    await run("PUT /cluster/sdn");
    await ask("POST /cluster/sdn/vnets/v1/ips", address("10.0.0.7", "BC:24:11:00:00:07"));
    expect(await ask("PUT /cluster/sdn/vnets/v1/ips", address("10.0.0.8", "BC:24:11:00:00:07"))).toBeNull();
    expect(await ask("PUT /cluster/sdn/vnets/v1/ips", address("10.0.0.1", "BC:24:11:00:00:07"))).toBe(
      "500 IP '10.0.0.1' already exist",
    );
    expect(await ask("GET /cluster/sdn/ipams/pve/status")).toContainEqual(
      expect.objectContaining({ ip: "10.0.0.8", mac: "BC:24:11:00:00:07" }),
    );
  });

  test("gives a guest's card an address of the range, and takes it back", async () => {
    await zoneWithVnet({ ipam: "pve", dhcp: "dnsmasq" });
    await addSubnet("10.0.0.0/24", { "dhcp-range": "start-address=10.0.0.50,end-address=10.0.0.51" });
    await run("PUT /cluster/sdn");
    const addresses = async () =>
      ((await ask("GET /cluster/sdn/ipams/pve/status")) as { ip: string; vmid: number; hostname: string }[]).map(
        ({ ip, vmid, hostname }) => `${ip} ${vmid} ${hostname}`,
      );
    for (const vmid of [301, 302, 303]) {
      expect(await run("POST /nodes/pve1/qemu", { vmid, name: `web${vmid}`, net0: "virtio,bridge=v1" })).toBe("OK");
    }
    expect(await addresses()).toEqual(["10.0.0.50 301 web301", "10.0.0.51 302 web302"]);
    expect(await ask("PUT /nodes/pve1/qemu/301/config", { net0: "virtio,bridge=vmbr0" })).toBeNull();
    expect(await addresses()).toEqual(["10.0.0.51 302 web302"]);
    expect(await run("POST /nodes/pve1/qemu/303/status/start")).toBe("OK");
    expect(await addresses()).toEqual(["10.0.0.51 302 web302", "10.0.0.50 303 web303"]);
    expect(await run("DELETE /nodes/pve1/qemu/302")).toBe("OK");
    expect(await addresses()).toEqual(["10.0.0.50 303 web303"]);
    expect(await ask("GET /cluster/firewall/refs")).toContainEqual(expect.objectContaining({ name: "guest-ipam-303" }));
  });
});
