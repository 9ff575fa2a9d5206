import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

const bpg = "registry.terraform.io/bpg/proxmox";
const long = "proxmox_virtual_environment_";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ as: "root@pam", seed: { ...(defaultSeed() as object), ceph: {} } });
});
afterAll(() => bench.close());

const terms = "https://acme-v02.api.letsencrypt.org/terms";
const hosts = "127.0.0.1 localhost\n192.0.2.11 pve1.example.com pve1\n";

/** States in the form of bpg's schema, with what a person writes here for the same object. */
const rows: readonly (readonly [from: string, state: object, to: string, config: Record<string, Input>])[] = [
  [
    `${long}dns`,
    { id: "dns", node_name: "pve1", domain: "example.com", servers: ["192.0.2.53"] },
    "proxmox_node_dns",
    { node: "pve1", search_domain: "example.com", servers: ["192.0.2.53"] },
  ],
  [
    `${long}time`,
    { id: "pve1_time", node_name: "pve1", time_zone: "Europe/Vienna", utc_time: "2026-01-01T00:00:00Z" },
    "proxmox_node_time",
    { node: "pve1", time_zone: "Europe/Vienna" },
  ],
  [`${long}hosts`, { node_name: "pve1", entry: [] }, "proxmox_node_hosts", { node: "pve1", content: hosts }],
  [
    `${long}node_config`,
    { node_name: "pve1", description: "rack 7" },
    "proxmox_node_config",
    { node: "pve1", description: "rack 7" },
  ],
  [
    `${long}cluster_options`,
    { id: "cluster", keyboard: "de", email_from: "pve@example.com" },
    "proxmox_cluster_options",
    { keyboard: "de", email_from: "pve@example.com" },
  ],
  [
    `${long}acme_account`,
    { name: "lab", contact: "ops@example.com", tos: terms, eab_hmac_key: "a-secret" },
    "proxmox_acme_account",
    { name: "lab", contact: ["ops@example.com"], tos_url: terms },
  ],
  [
    `${long}acme_dns_plugin`,
    { plugin: "cloudflare", api: "cf", data: { CF_Token: "a-secret" }, validation_delay: 60, disable: false },
    "proxmox_acme_plugin",
    { id: "cloudflare", dns: { api: "cf", validation_delay: 60 } },
  ],
  [
    "proxmox_ceph_pool",
    { node_name: "pve1", name: "vms", size: 3, min_size: 2, application: "rbd" },
    "proxmox_ceph_pool",
    { name: "vms", size: 3 },
  ],
  [
    `${long}apt_standard_repository`,
    { id: "x", node: "pve1", handle: "no-subscription", status: 1 },
    "proxmox_apt_repository",
    { node: "pve1", repository: "no-subscription" },
  ],
];

test.each(rows)(
  "%s %j becomes %s; the plan after it is empty, and no secret comes along",
  async (from, old, to, config) => {
    const resource = bench.resource(to);
    await resource.create(config);
    await bench.configure();
    const moved = await resource.move(bpg, from, old);
    expect(JSON.stringify(moved.state)).not.toContain("-secret");
    const read = await resource.refresh(moved);
    expect((await resource.plan(read, config)).action).toBe("no-op");
  },
);

test("certificates are joined, their key stays behind, and domains are kept by name", async () => {
  const pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----";
  const old = { node_name: "pve1", certificate: pem, certificate_chain: pem, private_key: "a-secret" };
  const certificate = await bench.resource("proxmox_node_certificate").move(bpg, `${long}certificate`, old);
  expect(attribute(certificate)).toMatchObject({ node: "pve1", certificate_chain: `${pem}\n${pem}` });
  expect(JSON.stringify(certificate.state)).not.toContain("-secret");
  const domains = [{ domain: "pve1.example.com", plugin: "cloudflare", alias: "" }];
  const ordered = await bench
    .resource("proxmox_acme_certificate")
    .move(bpg, "proxmox_acme_certificate", { node_name: "pve1", account: "default", domains });
  expect(attribute(ordered)).toMatchObject({
    account: "default",
    domains: { "pve1.example.com": { plugin: "cloudflare", alias: null } },
  });
});
