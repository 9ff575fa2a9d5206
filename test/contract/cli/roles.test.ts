import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callsOf } from "../../../src/cli/doctor/compatibility/calls-by-type.ts";
import { roleTypes } from "../../../src/cli/roles/grants-by-type.ts";
import { run } from "../../../src/cli/roles/role-command.ts";
import { makeServerIdentity } from "../../../src/simulator/core/http/certificate.ts";
import type { Input } from "../../harness/index.ts";
import { seed as containerSeed, fromImage, rootfs } from "../container/suite.ts";
import { cases } from "../crud/rows.ts";
import { settingsRows } from "../crud/settings-rows.ts";
import { typeCommands } from "../pveum.ts";
import { ResourceBench } from "../resource-bench.ts";
import { type } from "./person.ts";

let bench: ResourceBench;
let web: Server;
const folder = mkdtempSync(join(tmpdir(), "roles-"));
const [first, second] = [makeServerIdentity(["pve2.example.com"]), makeServerIdentity(["other.example.com"])];

beforeAll(async () => {
  web = createServer((_, response) => void response.end("image"));
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  for (const name of ["a", "b"]) writeFileSync(join(folder, `${name}.iso`), name);
  const more = [
    { vmid: 101, node: "pve1", config: { name: "web", scsi0: "local-lvm:vm-101-disk-0,size=1G" } },
    { vmid: 102, type: "lxc", node: "pve2", config: { hostname: "db", rootfs: "local-lvm:vm-102-disk-0,size=1G" } },
  ];
  const sdn = {
    zones: [{ zone: "nat", type: "simple", ipam: "pve", dhcp: "dnsmasq" }],
    vnets: [{ vnet: "guests", zone: "nat" }],
    subnets: [{ subnet: "10.30.0.0/24", vnet: "guests", gateway: "10.30.0.1" }],
  };
  const seed = { ...containerSeed, sdn, pools: [{ poolid: "prod" }], guests: [...containerSeed.guests, ...more] };
  bench = await ResourceBench.open({ seed });
});
beforeEach(() => {
  bench.simulator.reset();
  const { acme, nodes } = bench.simulator.sim.world;
  const directory = "https://acme-v02.api.letsencrypt.org/directory";
  const account = { contact: ["mailto:ops@example.com"], directory, location: "https://example.com/acct/1" };
  acme.accounts = { default: { ...account, createdAt: "2026-01-01T00:00:00Z" } };
  const disk = (letter: string) => ({ devpath: `/dev/sd${letter}`, size: 1e12, model: "DISK", serial: letter });
  if (nodes["pve1"]) nodes["pve1"].disks = ["b", "c"].map((letter) => ({ ...disk(letter), type: "ssd" as const }));
});
afterAll(async () => {
  web.close();
  await bench.close();
  rmSync(folder, { recursive: true });
});

type Config = Record<string, Input>;

const rule = { type: "in", action: "ACCEPT", macro: "SSH" };
const iso = { storage: "local", node: "pve1", content: "iso" };
const disk = { node: "pve1", name: "fast", device: "/dev/sdb" };
const certificate = (of: typeof first) => ({ node: "pve2", certificate_chain: of.cert, private_key: of.key });

/** Resources without a definition: a configuration, and what changes in it. */
const lives: [type: string, config: () => Config, change: () => Config][] = [
  ["proxmox_acl", () => ({ path: "/vms", role: "PVEVMUser", user: "noacl@pve" }), () => ({ propagate: false })],
  ["proxmox_token", () => ({ user: "noacl@pve", name: "ci" }), () => ({ comment: "changed" })],
  [
    "proxmox_acme_certificate",
    // Another node than the one that answers, whose web server restarts with its certificate.
    () => ({ node: "pve2", domains: { "pve2.example.com": {} } }),
    () => ({ domains: { "one.example.com": {} } }),
  ],
  ["proxmox_apt_repository", () => ({ node: "pve1", repository: "no-subscription" }), () => ({ enabled: false })],
  ["proxmox_node_certificate", () => certificate(first), () => ({ ...certificate(second), private_key_version: 2 })],
  ["proxmox_node_directory", () => disk, () => ({ destroy_data: true })],
  ["proxmox_node_lvm", () => disk, () => ({ destroy_data: true })],
  ["proxmox_node_lvmthin", () => disk, () => ({ destroy_data: true })],
  [
    "proxmox_node_zfs_pool",
    () => ({ node: "pve1", name: "tank", raid_level: "mirror", devices: ["/dev/sdb", "/dev/sdc"] }),
    () => ({ destroy_data: true }),
  ],
  [
    "proxmox_container",
    () => ({ ...fromImage, vmid: 601, name: "web", mounts: { rootfs }, networks: { net0: { bridge: "vmbr0" } } }),
    () => ({
      name: "changed",
      cpu: { cores: 3 },
      memory: { size: "1G" },
      mounts: { rootfs: { ...rootfs, size: "5G" }, mp0: { storage: "local-lvm", size: "1G", path: "/data" } },
      networks: { net0: { bridge: "vmbr0", vlan: 7 } },
      node: "pve2",
    }),
  ],
  ["proxmox_container", () => ({ vmid: 602, name: "copy", clone: { template: "golden" } }), () => ({ tags: ["a"] })],
  [
    "proxmox_disk",
    () => ({ storage: "local-lvm", node: "pve1", name: "data", size: "1G", destroy_data: true }),
    () => ({ size: "2G" }),
  ],
  ["proxmox_sdn_ip", () => ({ vnet: "guests", ip: "10.30.0.10", mac: "BC:24:11:00:00:10" }), () => ({})],
  ["proxmox_container_template", () => ({ storage: "local", node: "pve1", name: "debian-13-standard" }), () => ({})],
  ["proxmox_file", () => ({ ...iso, source: join(folder, "a.iso") }), () => ({ overwrite: true })],
  ["proxmox_download", () => ({ ...iso, url: `${site()}/c.iso` }), () => ({ overwrite: true })],
  [
    "proxmox_oci_image",
    () => ({ storage: "local", node: "pve1", reference: "docker.io/library/nginx:1.29" }),
    () => ({}),
  ],
  ["proxmox_firewall_alias", () => ({ name: "office", cidr: "198.51.100.0/24" }), () => ({ comment: "changed" })],
  ["proxmox_firewall_alias", () => ({ vmid: 101, name: "office", cidr: "10.0.0.0/8" }), () => ({ comment: "changed" })],
  ["proxmox_firewall_ipset", () => ({ name: "admins" }), () => ({ entries: { "10.0.0.0/24": {} } })],
  ["proxmox_firewall_ipset", () => ({ vmid: 102, name: "admins" }), () => ({ entries: { "10.0.0.0/24": {} } })],
  [
    "proxmox_firewall_options",
    () => ({ cluster: { policy_in: "ACCEPT" } }),
    () => ({ cluster: { policy_in: "DROP" } }),
  ],
  [
    "proxmox_firewall_options",
    () => ({ node: { node: "pve1", ndp: true } }),
    () => ({ node: { node: "pve1", ndp: false } }),
  ],
  ["proxmox_firewall_options", () => ({ guest: { vmid: 101, dhcp: true } }), () => ({ guest: { vmid: 101 } })],
  ["proxmox_firewall_policy", () => ({ vmid: 101, rules: [rule] }), () => ({ aliases: { hq: { cidr: "10.0.0.1" } } })],
  ["proxmox_firewall_rules", () => ({ rules: [rule] }), () => ({ rules: [{ ...rule, comment: "changed" }] })],
  ["proxmox_firewall_rules", () => ({ node: "pve1", rules: [rule] }), () => ({ rules: [] })],
  ["proxmox_firewall_rules", () => ({ vmid: 102, rules: [rule] }), () => ({ rules: [rule, rule] })],
  ["proxmox_firewall_security_group", () => ({ name: "web", rules: [rule] }), () => ({ comment: "changed" })],
  ["proxmox_pool_member", () => ({ pool: "prod", vmid: 101 }), () => ({})],
  ["proxmox_pool_member", () => ({ pool: "prod", storage: "nas" }), () => ({})],
  ["proxmox_snapshot", () => ({ vmid: 101, name: "before" }), () => ({ description: "changed" })],
  ["proxmox_snapshot", () => ({ vmid: 102, name: "before" }), () => ({ description: "changed" })],
];

const site = () => `http://127.0.0.1:${(web.address() as AddressInfo).port}`;

test.each(lives)("%s lives on the roles that `doctor role` prints for it (%#)", async (name, config, change) => {
  const { stdout } = await type(run, ["--for", name, "--user", "least@pve"], {});
  const { "least@pve!tf": secret } = await typeCommands(bench.simulator, stdout);
  bench.simulator.sim.log.clear();
  await bench.configure("", { api_token: `least@pve!tf=${secret}` });
  const resource = bench.resource(name);
  const made = await resource.create(config());
  const grown = await resource.update(made, { ...config(), ...change() });
  await resource.destroy(grown);
  // What `doctor compatibility` looks for on a host. References are looked up besides.
  const { calls } = bench.simulator.sim.log.summary() as { calls: readonly { endpoint: string }[] };
  const isWrite = ({ endpoint }: { endpoint: string }) => !endpoint.startsWith("GET ");
  const known = await callsOf(name);
  expect(calls.filter((one) => isWrite(one) && !known.includes(one.endpoint))).toEqual([]);
});

test("a role is composed for every resource, and each one is proved", () => {
  const schema = JSON.parse(readFileSync("schema/provider.json", "utf8")) as {
    provider_schemas: Record<string, { resource_schemas: object }>;
  };
  // A token cannot manage second factors.
  const all = Object.values(schema.provider_schemas)
    .flatMap((one) => Object.keys(one.resource_schemas))
    .filter((name) => name !== "proxmox_tfa");
  expect([...roleTypes].sort()).toEqual(all.sort());
  // `proxmox_vm` has a file of its own: test/contract/vm/roles.test.ts.
  const proved = [...cases, ...settingsRows]
    .map((one) => one.type)
    .concat(
      lives.map(([name]) => name),
      "proxmox_vm",
    );
  expect([...new Set(proved)].sort()).toEqual(all.sort());
});
