import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask } = lab();

const vm = "/nodes/pve1/qemu/200/firewall";
const allow = { type: "in", action: "ACCEPT" };
const ports = async (path: string) =>
  ((await ask(`GET ${path}`)) as Record<string, unknown>[]).map(({ pos, dport }) => `${pos}:${dport}`);

describe("rules", () => {
  test("come first when they are new, and are moved and removed by position", async () => {
    for (const dport of ["22", "80", "443"]) {
      expect(await ask(`POST ${vm}/rules`, { ...allow, proto: "tcp", dport })).toBeNull();
    }
    expect(await ports(`${vm}/rules`)).toEqual(["0:443", "1:80", "2:22"]);
    await ask(`PUT ${vm}/rules/0`, { moveto: 2 }); // before what is at 2 now
    expect(await ports(`${vm}/rules`)).toEqual(["0:80", "1:443", "2:22"]);
    await ask(`PUT ${vm}/rules/1`, { moveto: 3 });
    expect(await ports(`${vm}/rules`)).toEqual(["0:80", "1:22", "2:443"]);
    await ask(`PUT ${vm}/rules/2`, { moveto: 0 });
    expect(await ports(`${vm}/rules`)).toEqual(["0:443", "1:80", "2:22"]);
    await ask(`DELETE ${vm}/rules/1`);
    expect(await ports(`${vm}/rules`)).toEqual(["0:443", "1:22"]);
    expect(await ask(`DELETE ${vm}/rules/2`)).toBe("500 no rule at position 2");
    expect(await ask(`GET ${vm}/rules/7`)).toBe("500 no rule at position 7");
  });

  test("are off unless turned on, and take options away with a dash", async () => {
    await ask(`POST ${vm}/rules`, { ...allow, macro: "ssh", source: "192.0.2.0/24", comment: "admins" });
    expect(await ask(`GET ${vm}/rules/0`)).toMatchObject({
      pos: "0",
      enable: 0,
      macro: "SSH",
      ipversion: 4,
      comment: "admins",
    });
    await ask(`PUT ${vm}/rules/0`, { enable: 1, comment: "-", delete: "source" });
    const rule = await ask(`GET ${vm}/rules/0`);
    expect(rule).toMatchObject({ enable: 1, macro: "SSH" });
    expect(Object.keys(rule as object)).not.toEqual(expect.arrayContaining(["source", "comment", "ipversion"]));
  });

  test("carry one digest for the list, which guards changes", async () => {
    await ask(`POST ${vm}/rules`, { ...allow, proto: "tcp", dport: "22" });
    const [rule] = (await ask(`GET ${vm}/rules`)) as { digest: string }[];
    expect(await ask(`PUT ${vm}/rules/0`, { enable: 1, digest: "0".repeat(40) })).toBe(
      "500 detected modified configuration - file changed by other user? Try again.",
    );
    expect(await ask(`PUT ${vm}/rules/0`, { enable: 1, digest: rule?.digest ?? "" })).toBeNull();
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "with a port need a protocol",
      { ...allow, dport: "22" },
      "proto: missing property - 'dport' requires this property",
    ],
    [
      "with a port need one that has ports",
      { ...allow, proto: "esp", dport: "22" },
      "dport: protocol 'esp' does not support ports",
    ],
    [
      "name ports that exist",
      { ...allow, proto: "tcp", dport: "70000" },
      "dport: invalid format - invalid port '70000'",
    ],
    [
      "count upwards",
      { ...allow, proto: "tcp", dport: "90:80" },
      "dport: invalid format - backwards range '90:80' not allowed, did you mean '80:90'?",
    ],
    [
      "name services that exist",
      { ...allow, proto: "tcp", dport: "sssh" },
      "dport: invalid format - invalid port 'sssh'",
    ],
    ["name protocols that exist", { ...allow, proto: "tpc" }, "proto: invalid format - unknown protocol 'tpc'"],
    ["name macros that exist", { ...allow, macro: "Nope" }, "macro: unknown macro 'Nope'"],
    ["name actions that exist", { type: "in", action: "DENY" }, "action: unknown action 'DENY'"],
    ["name sets that exist", { ...allow, source: "+none" }, "source: no such ipset 'none'"],
    ["name aliases that exist", { ...allow, dest: "dc/none" }, "dest: no such alias 'dc/none'"],
    [
      "have addresses of one kind",
      { ...allow, source: "192.0.2.1,2001:db8::1" },
      "source: invalid format - detected mixed ipv4/ipv6 addresses in address list '192.0.2.1,2001:db8::1'",
    ],
    [
      "have one kind of address at both ends",
      { ...allow, source: "192.0.2.1", dest: "2001:db8::1" },
      "dest: detected mixed ipv4/ipv6 addresses in rule",
    ],
    [
      "have the kind of address that their protocol has",
      { ...allow, proto: "icmp", source: "2001:db8::1" },
      "source: detected mixed ipv4/ipv6 addresses in rule",
    ],
    [
      "of a VM know its own devices",
      { ...allow, iface: "eth0" },
      "iface: value does not match the regex pattern 'net\\d+'",
    ],
    [
      "of a VM forward nothing",
      { type: "forward", action: "ACCEPT" },
      "type: invalid rule type 'forward' for rule_env 'vm'",
    ],
    [
      "have an ICMP type only with ICMP",
      { ...allow, "icmp-type": "echo-request" },
      "proto: missing property - 'icmp-type' requires this property",
    ],
    ["need an action", { type: "in" }, "action: property is missing and it is not optional"],
  ])("%s", async (_, form, expected) => {
    expect(await ask(`POST ${vm}/rules`, form)).toBe(`400 Parameter verification failed. | ${expected}`);
  });

  test.each([
    ["/cluster/firewall", { type: "forward", action: "DROP" }],
    ["/nodes/pve2/firewall", { type: "out", action: "REJECT", iface: "vmbr0" }],
    ["/nodes/pve1/lxc/500/firewall", allow],
  ])("exist for %s, too", async (path, form) => {
    expect(await ask(`POST ${path}/rules`, form)).toBeNull();
    expect(await ask(`GET ${path}/rules`)).toMatchObject([form]);
  });

  test("of a VM are for those who may configure its network", async () => {
    expect(await ask(`POST ${vm}/rules`, allow, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/vms/200, VM.Config.Network)",
    );
    expect(await ask(`POST ${vm}/rules`, allow, "owner@pve!tk")).toBeNull();
    expect(await ask("GET /cluster/firewall/rules", undefined, "owner@pve!tk")).toBe(
      "403 Permission check failed (/, Sys.Audit)",
    );
  });
});

describe("aliases", () => {
  test("are found in any case and can be renamed", async () => {
    await ask("POST /cluster/firewall/aliases", { name: "Office", cidr: "192.0.2.0/24", comment: "c" });
    expect(await ask("GET /cluster/firewall/aliases/office")).toEqual({
      name: "Office",
      cidr: "192.0.2.0/24",
      comment: "c",
      ipversion: 4,
    });
    expect(await ask("POST /cluster/firewall/aliases", { name: "OFFICE", cidr: "192.0.2.9" })).toBe(
      "400 Parameter verification failed. | name: alias 'OFFICE' already exists",
    );
    await ask("PUT /cluster/firewall/aliases/office", { cidr: "2001:db8::/32", rename: "home" });
    expect(await ask("GET /cluster/firewall/aliases")).toMatchObject([
      { name: "home", cidr: "2001:db8::/32", ipversion: 6 },
    ]);
    expect(await ask("GET /cluster/firewall/aliases/office")).toBe(
      "400 Parameter verification failed. | name: no such alias",
    );
    expect(await ask(`POST ${vm}/rules`, { ...allow, source: "dc/home" })).toBeNull();
    expect(await ask(`GET ${vm}/rules/0`)).toMatchObject({ ipversion: 6 });
    expect(await ask(`POST ${vm}/rules`, { ...allow, source: "192.0.2.1", dest: "dc/home" })).toBe(
      "500 detected mixed ipv4/ipv6 addresses in rule",
    );
  });

  test("are addresses", async () => {
    expect(await ask(`POST ${vm}/aliases`, { name: "bad", cidr: "192.0.2.0/40" })).toBe(
      "400 Parameter verification failed. | cidr: invalid format - Prefix length 40 is longer than IP address (32)",
    );
  });
});

describe("sets", () => {
  test("keep normal networks, in order", async () => {
    await ask("POST /cluster/firewall/ipset", { name: "blocked", comment: "c" });
    await ask("POST /cluster/firewall/ipset/blocked", { cidr: "192.0.2.77/24" });
    await ask("POST /cluster/firewall/ipset/blocked", { cidr: "198.51.100.1/32", nomatch: 1 });
    expect(await ask("GET /cluster/firewall/ipset/blocked")).toMatchObject([
      { cidr: "192.0.2.0/24" },
      { cidr: "198.51.100.1", nomatch: 1 },
    ]);
    expect(await ask("POST /cluster/firewall/ipset/blocked", { cidr: "192.0.2.1/24" })).toBe(
      "400 Parameter verification failed. | cidr: address '192.0.2.0/24' already exists",
    );
    expect(await ask("GET /cluster/firewall/ipset/blocked/192.0.2.0%2F24")).toMatchObject({ cidr: "192.0.2.0/24" });
    await ask("DELETE /cluster/firewall/ipset/blocked/192.0.2.0%2F24");
    expect(await ask("DELETE /cluster/firewall/ipset/blocked")).toBe("500 IPSet 'blocked' is not empty");
    expect(await ask("DELETE /cluster/firewall/ipset/blocked", { force: 1 })).toBeNull();
  });

  test("are renamed from their old name", async () => {
    await ask(`POST ${vm}/ipset`, { name: "one" });
    expect(await ask(`POST ${vm}/ipset`, { name: "two", rename: "three" })).toBe(
      "400 Parameter verification failed. | name: IPSet 'three' does not exist",
    );
    await ask(`POST ${vm}/ipset`, { name: "two", rename: "one" });
    expect(await ask(`GET ${vm}/ipset`)).toMatchObject([{ name: "two" }]);
    expect(await ask(`GET ${vm}/ipset/one`)).toBe("500 no such IPSet 'one'");
    expect(await ask(`GET ${vm}/refs`)).toEqual([{ type: "ipset", name: "two", ref: "+two", scope: "guest" }]);
  });
});

describe("security groups", () => {
  test("are lists of rules that follow a rename", async () => {
    await ask("POST /cluster/firewall/groups", { group: "web", comment: "c" });
    await ask("POST /cluster/firewall/groups/web", { ...allow, proto: "tcp", dport: "443" });
    await ask(`POST ${vm}/rules`, { type: "group", action: "web", enable: 1 });
    expect(await ask("DELETE /cluster/firewall/groups/web")).toBe("500 Security group 'web' is not empty");
    await ask("POST /cluster/firewall/groups", { group: "www", rename: "web" });
    expect(await ask(`GET ${vm}/rules`)).toMatchObject([{ type: "group", action: "www" }]);
    expect(await ask("GET /cluster/firewall/groups")).toMatchObject([{ group: "www", comment: "c" }]);
    expect(await ask("GET /cluster/firewall/groups/web")).toBe("500 no such security group 'web'");
    expect(await ask("POST /cluster/firewall/groups/www", { type: "group", action: "web" })).toBe(
      "400 Parameter verification failed. | type: invalid rule type 'group' for rule_env 'group'",
    );
  });
});

describe("options", () => {
  test("are empty with the digest of nothing", async () => {
    expect(await ask(`GET ${vm}/options`)).toEqual({ digest: "da39a3ee5e6b4b0d3255bfef95601890afd80709" });
  });

  test.each([
    [`${vm}/options`, { enable: 1, policy_in: "DROP", macfilter: 0 }],
    ["/cluster/firewall/options", { enable: 1, policy_forward: "DROP" }],
    ["/nodes/pve1/firewall/options", { nosmurfs: 1, log_level_in: "info", nf_conntrack_max: 40000 }],
  ])("of %s are kept and deleted", async (path, options) => {
    expect(await ask(`PUT ${path}`, options)).toBeNull();
    expect(await ask(`GET ${path}`)).toMatchObject(options);
    expect(await ask(`PUT ${path}`, { delete: "colour" })).toBe(
      "400 Parameter verification failed. | delete: no such option 'colour'",
    );
    await ask(`PUT ${path}`, { delete: Object.keys(options).join(",") });
    expect(Object.keys((await ask(`GET ${path}`)) as object)).toEqual(["digest"]);
  });
});
