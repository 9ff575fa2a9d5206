import { describe, expect, test } from "vitest";
import { metaData, networkData, userData } from "../../../../../src/simulator/qemu/cloud-init/data.ts";

const of = (config: Record<string, string>) => ({ vmid: 100, config });
const lines = (text: string) => text.split("\n").slice(0, -1);

describe("the user data", () => {
  test("of a VM without settings is short", () => {
    expect(lines(userData(of({})))).toEqual([
      "#cloud-config",
      "hostname: VM100",
      "manage_etc_hosts: true",
      "fqdn: VM100",
      "chpasswd:",
      "  expire: False",
      "users:",
      "  - default",
      "package_upgrade: true",
    ]);
  });

  test("has the user, the password and every key", () => {
    const sshkeys = encodeURIComponent("ssh-ed25519 AAAA one\n\nssh-ed25519 BBBB two\n");
    const config = { name: "web", ciuser: "root", cipassword: "$5$x", sshkeys, ciupgrade: "0" };
    expect(lines(userData(of(config)))).toEqual([
      "#cloud-config",
      "hostname: web",
      "manage_etc_hosts: true",
      "fqdn: web",
      "user: root",
      "disable_root: False",
      "password: $5$x",
      "ssh_authorized_keys:",
      "  - ssh-ed25519 AAAA one",
      "  - ssh-ed25519 BBBB two",
      "chpasswd:",
      "  expire: False",
    ]);
    expect(userData(of(config), { maskPassword: true })).toContain("\npassword: **********\n");
  });

  test.each([
    [{ name: "web" }, "web", "web"],
    [{ name: "web", searchdomain: "example.org" }, "web", "web.example.org"],
    [{ name: "web.example.com", searchdomain: "example.org" }, "web", "web.example.com"],
  ])("names a VM with %j %s and %s", (config, hostname, fqdn) => {
    expect(lines(userData(of(config)))).toEqual(expect.arrayContaining([`hostname: ${hostname}`, `fqdn: ${fqdn}`]));
  });
});

const net0 = "virtio=BC:24:11:00:00:01,bridge=vmbr0";

describe("the network data", () => {
  test("for NoCloud lists the devices that have addresses", () => {
    const text = networkData(
      of({
        net0,
        net1: "virtio=BC:24:11:00:00:02",
        net2: "virtio=BC:24:11:00:00:03",
        ipconfig0: "ip=192.0.2.5/20,gw=192.0.2.1,ip6=2001:db8::5/64,gw6=2001:db8::1",
        ipconfig2: "ip=dhcp,ip6=auto",
        nameserver: "192.0.2.53 192.0.2.54",
        searchdomain: "example.org",
      }),
    );
    expect(lines(text)).toEqual([
      "version: 1",
      "config:",
      "    - type: physical",
      "      name: eth0",
      "      mac_address: 'bc:24:11:00:00:01'",
      "      subnets:",
      "      - type: static",
      "        address: '192.0.2.5'",
      "        netmask: '255.255.240.0'",
      "        gateway: '192.0.2.1'",
      "      - type: static6",
      "        address: '2001:db8::5/64'",
      "        gateway: '2001:db8::1'",
      "    - type: physical",
      "      name: eth2",
      "      mac_address: 'bc:24:11:00:00:03'",
      "      subnets:",
      "      - type: dhcp4",
      "      - type: ipv6_slaac",
      "    - type: nameserver",
      "      address:",
      "      - '192.0.2.53'",
      "      - '192.0.2.54'",
      "      search:",
      "      - 'example.org'",
    ]);
  });

  test("names the host's own resolver where the VM has none", () => {
    const resolver = { search: "example.com", dns1: "192.0.2.1", dns3: "192.0.2.3" };
    const dns = (config: Record<string, string>) => lines(networkData({ ...of(config), resolver })).slice(2);
    expect(dns({})).toEqual([
      "    - type: nameserver",
      "      address:",
      "      - '192.0.2.1'",
      "      - '192.0.2.3'",
      "      search:",
      "      - 'example.com'",
    ]);
    expect(dns({ nameserver: "192.0.2.53", searchdomain: " " })).toEqual([
      "    - type: nameserver",
      "      address:",
      "      - '192.0.2.53'",
    ]);
  });

  test.each([{ citype: "configdrive2" }, { ostype: "win11" }])("for %j is a Debian interfaces file", (kind) => {
    const config = { ...kind, net0, ipconfig0: "ip=192.0.2.5/24,gw=192.0.2.1,ip6=dhcp", nameserver: "192.0.2.53" };
    expect(networkData(of(config))).toBe(
      [
        "auto lo",
        "iface lo inet loopback",
        "",
        "        dns_nameservers 192.0.2.53",
        "auto eth0",
        "iface eth0 inet static",
        "        address 192.0.2.5",
        "        netmask 255.255.255.0",
        "        gateway 192.0.2.1",
        "iface eth0 inet6 dhcp",
        "",
      ].join("\n"),
    );
  });
});

describe("the instance's id", () => {
  const config = { name: "web", net0, ipconfig0: "ip=dhcp" };

  test("is a hash of the other data", () => {
    expect(metaData(of(config))).toMatch(/^instance-id: [0-9a-f]{40}\n$/);
    expect(metaData(of({ ...config, memory: "4096" }))).toBe(metaData(of(config)));
    expect(metaData(of({ ...config, ipconfig0: "ip6=auto" }))).not.toBe(metaData(of(config)));
    expect(metaData(of({ ...config, ciuser: "me" }))).not.toBe(metaData(of(config)));
  });

  test("is JSON on a config drive", () => {
    expect(JSON.parse(metaData(of({ ...config, citype: "configdrive2" })))).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{40}$/),
      network_config: { content_path: "/content/0000" },
    });
  });
});
