import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lab, labSeed } from "./lab.ts";

/** The members as the manual shows them, on a cluster that others can use. */
const page = readFileSync(join(import.meta.dirname, "../../../docs/guides/simulator.md"), "utf8");
const examples = [...page.matchAll(/```json\n(\{.*?)```/gs)].map(([, text = ""]) => JSON.parse(text) as typeof seed);
const seed = {} as Record<string, object[] & Record<string, object>>;
Object.assign(seed, ...examples);
const [{ nodes = [] } = {}] = examples;

const cluster = lab({
  ...labSeed,
  ...Object.fromEntries(
    ["realms", "realm_sync_jobs", "ha_rules", "metric_servers", "notifications", "acme", "sdn", "firewall"].map(
      (name) => [name, seed[name]],
    ),
  ),
  nodes: nodes.map((node) => ({ ...node, status: "online" })),
  ha_resources: [{ sid: "vm:100", state: "ignored" }],
  storages: [...labSeed.storages, { storage: "local-lvm", type: "lvmthin", vgname: "pve", thinpool: "data" }],
  guests: seed["guests"],
});
const { ask, run } = cluster;

describe("what a seed holds is answered", () => {
  test.each<[string, unknown]>([
    ["GET /access/domains/corp", expect.objectContaining({ type: "ldap", server1: "192.0.2.40", user_attr: "uid" })],
    ["GET /access/domains/pve", expect.objectContaining({ comment: "local accounts", default: 1 })],
    ["GET /cluster/jobs/realm-sync/nightly", expect.objectContaining({ realm: "corp", scope: "both" })],
    ["GET /cluster/ha/rules/home", expect.objectContaining({ type: "node-affinity", nodes: "pve1:2" })],
    ["GET /cluster/metrics/server/graphs", expect.objectContaining({ type: "graphite", port: 2003 })],
    [
      "GET /cluster/notifications/endpoints/gotify/chat",
      expect.objectContaining({ server: "https://chat.example.com" }),
    ],
    ["GET /cluster/notifications/matchers/errors", expect.objectContaining({ target: ["chat"] })],
    ["GET /cluster/acme/plugins/cloud", expect.objectContaining({ api: "cf", data: "CF_Token=abc" })],
    ["GET /cluster/sdn/fabrics/fabric/core", expect.objectContaining({ ip_prefix: "10.2.0.0/24" })],
    ["GET /cluster/sdn/fabrics/node/core/pve1", expect.objectContaining({ ip: "10.2.0.1", interfaces: ["name=eno1"] })],
    ["GET /cluster/sdn/ipams/box", expect.objectContaining({ type: "netbox" })],
    ["GET /cluster/sdn/dns/names", expect.objectContaining({ type: "powerdns" })],
    ["GET /cluster/firewall/options", expect.objectContaining({ enable: 1, policy_in: "DROP" })],
    [
      "GET /cluster/firewall/rules",
      [expect.objectContaining({ macro: "SSH", source: "+office", enable: 1, comment: "admins" })],
    ],
    ["GET /cluster/firewall/aliases/gateway", expect.objectContaining({ cidr: "192.0.2.1" })],
    [
      "GET /cluster/firewall/ipset/office",
      [expect.objectContaining({ cidr: "192.0.2.0/24" }), expect.objectContaining({ cidr: "192.0.2.66", nomatch: 1 })],
    ],
    ["GET /cluster/firewall/groups/web", [expect.objectContaining({ dport: "443", proto: "tcp" })]],
    ["GET /nodes/pve1/firewall/options", expect.objectContaining({ nosmurfs: 0 })],
    ["GET /nodes/pve1/qemu/100/firewall/rules", [expect.objectContaining({ type: "group", action: "web" })]],
    ["GET /cluster/sdn/vnets/v1/firewall/rules", [expect.objectContaining({ type: "forward", action: "DROP" })]],
    ["GET /nodes/pve2/dns", { search: "lab.example", dns1: "192.0.2.1", dns2: "192.0.2.2", dns3: "192.0.2.3" }],
    ["GET /nodes/pve2/hosts", expect.objectContaining({ data: "127.0.0.1 localhost\n192.0.2.12 pve2\n" })],
    ["GET /nodes/pve2/time", expect.objectContaining({ timezone: "Europe/Berlin" })],
    ["GET /nodes/pve2/config", expect.objectContaining({ description: "rack 2\n" })],
    ["GET /nodes/pve2/subscription", expect.objectContaining({ key: "pve1c-0123456789" })],
    [
      "GET /nodes/pve2/certificates/info",
      expect.arrayContaining([
        expect.objectContaining({ filename: "pveproxy-ssl.pem", subject: "/CN=pve2.lab.example" }),
      ]),
    ],
    [
      "GET /nodes/pve2/apt/repositories",
      expect.objectContaining({
        files: [expect.objectContaining({ path: "/etc/apt/sources.list.d/proxmox.sources" })],
      }),
    ],
    ["GET /nodes/pve2/network/eno2", expect.objectContaining({ method: "manual" })],
    [
      "GET /nodes/pve1/qemu/100/pending",
      expect.arrayContaining([
        { key: "memory", pending: "4096" },
        { key: "cpulimit", value: "2", delete: 1 },
      ]),
    ],
  ])("by %s", async (call, expected) => {
    expect(await ask(call)).toEqual(expected);
  });

  test("and its snapshots can be rolled back to and deleted", async () => {
    expect(await run("POST /nodes/pve1/qemu/100/status/stop")).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/100/snapshot")).toEqual([
      expect.objectContaining({ name: "before", snaptime: 1767225600 }),
      expect.objectContaining({ name: "current", parent: "before" }),
    ]);
    expect(await run("POST /nodes/pve1/qemu/100/snapshot/before/rollback")).toBe("OK");
    expect(await run("DELETE /nodes/pve1/qemu/100/snapshot/before")).toBe("OK");
  });
});
