import { afterAll, beforeAll, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import type { ResourceBench } from "../resource-bench.ts";
import { openRowsBench } from "./bench.ts";
import { rows } from "./rows.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await openRowsBench({ as: "root@pam" });
});
afterAll(() => bench.close());

const long = "x".repeat(1000);
const metrics = { id: "otel", server: "otel.example.com", port: 4318 };
const hook = { url: "https://chat.example.com", method: "post" };
const directory = { server: "192.0.2.20", base_dn: "dc=example,dc=com", user_attribute: "uid" };

test.each([
  ["proxmox_ceph_pool", { name: "vms", crush_rule: "sdd" }, "no CRUSH rule `sdd`. Did you mean `ssd`?"],
  ["proxmox_cpu_model", { name: "small", reported_model: "hosst" }, "no model `hosst`. Did you mean `host`?"],
  ["proxmox_acme_plugin", { id: "one", dns: { api: "cff" } }, "no API `cff`. Did you mean `cf`"],
  ["proxmox_acme_plugin", { id: "one", dns: { api: "cf", data: { "A B": "x" } } }, "`A B` is not a valid key."],
  ["proxmox_metric_server", { ...metrics, opentelemetry: { headers: { X: long } } }, "at most 1024 characters"],
  [
    "proxmox_notification_endpoint",
    { name: "h", webhook: { ...hook, headers: { "a,b": "x" } } },
    "`a,b` is not a valid",
  ],
  ["proxmox_realm", { id: "corp", ldap: { ...directory, sync_attributes: { "": "x" } } }, "the name of a property"],
  ["proxmox_realm_sync_job", { id: "job", realm: "", schedule: "daily", scope: "both" }, "Realm `` does not exist"],
  ["proxmox_tfa", { user: "terraform@pve", recovery: {} }, "Give `recovery.keys_file`."],
  [
    "proxmox_network_interface",
    { node: "pve1", name: "bond9", bond: { slaves: ["vmbr0"], mode: "active-backup" } },
    "cards and other bonds only",
  ],
  ["proxmox_node_time", { node: "", time_zone: "Etc/UTC" }, "Node `` does not exist"],
  ["proxmox_storage", { id: "data", dir: { path: "/srv", content_dirs: { disks: "x" } } }, 'Must be one of "backup"'],
])("%s is refused in the plan: %j", async (type, config, message) => {
  await expect(bench.resource(type).plan(null, config)).rejects.toThrow(message);
});

test.each(rows.map(({ type, base }) => [type, base] as const))(
  "two of one %s in one plan are refused",
  async (type, base) => {
    await bench.configure();
    const { action } = await bench.resource(type).plan(null, base);
    expect(action).toBe("create");
    await expect(bench.resource(type).plan(null, base)).rejects.toThrow("is given twice");
  },
);

test.each(["first", "second"])(
  "an object that is in the state is refused to another resource, whichever is planned %s",
  async (order) => {
    await bench.configure();
    const group = bench.resource("proxmox_group");
    const made = await group.create({ id: "twins" });
    await bench.configure();
    const kept = await group.refresh(made);
    const other = () => group.plan(null, { id: "twins" });
    const own = () => group.plan(kept, { id: "twins", comment: "kept" });
    const [before, after] = order === "first" ? [own, other] : [other, own];
    await before();
    await expect(after()).rejects.toThrow(/Group "twins" is given twice: Another resource of this configuration/);
    await bench.configure();
    await group.destroy(made);
  },
);

const single: [string, Input][] = [
  ["proxmox_group", { id: "again" }],
  ["proxmox_role", { id: "again", privileges: ["VM.Audit"] }],
  ["proxmox_token", { user: "terraform@pve", name: "again" }],
  ["proxmox_acl", { path: "/vms/4711", role: "PVEVMUser", user: "terraform@pve" }],
  ["proxmox_storage", { id: "again", dir: { path: "/srv/again" }, content: ["iso"] }],
  ["proxmox_sdn_zone", { id: "again", simple: {} }],
  ["proxmox_firewall_alias", { name: "Again", cidr: "192.0.2.0/24" }],
  ["proxmox_firewall_ipset", { name: "again" }],
  ["proxmox_firewall_security_group", { name: "again" }],
];

test.each(single)("%s that is tainted is replaced without a refresh", async (type, config) => {
  await bench.configure();
  const made = await bench.resource(type).create(config);
  await bench.configure();
  await bench.resource(type).load(made);
  const plan = await bench.resource(type).plan(null, config);
  expect(plan.action).toBe("create");
  await bench.configure();
  await bench.resource(type).destroy(made);
  const again = await bench.resource(type).apply(plan);
  await bench.configure();
  await bench.resource(type).destroy(again);
});

test.each(single)("%s of a renamed resource is refused, in whatever order Terraform plans", async (type, config) => {
  const resource = bench.resource(type);
  await bench.configure();
  const made = await resource.create(config);
  const load = () => resource.load(made);
  const refresh = () => resource.refresh(made);
  const remove = () => resource.planDestroy(made);
  const create = () => resource.plan(null, config);
  const orders: [first: (() => Promise<unknown>)[], last: () => Promise<unknown>][] = [
    [[load, remove], create],
    [[load, refresh, remove], create],
    [[load, create], remove],
    [[load, refresh, create], remove],
    [[load, create, refresh], remove],
    [[() => expect(create()).rejects.toThrow("exists already"), load, refresh], remove],
  ];
  for (const [first, last] of orders) {
    await bench.configure();
    for (const step of first) await step();
    await expect(last()).rejects.toThrow(/is removed and created: .*moved \{\n {2}from = proxmox_/s);
  }
  await bench.configure();
  await resource.destroy(made);
});
