import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";
import { stateOf } from "./rows.ts";

const bpg = "registry.terraform.io/bpg/proxmox";
const long = "proxmox_virtual_environment_";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ as: "root@pam", seed: { ...(defaultSeed() as object), ceph: {} } });
});
afterAll(() => bench.close());

const terms = "https://acme-v02.api.letsencrypt.org/terms";
const directory = "https://acme-staging-v02.api.letsencrypt.org/directory";
const entries = "127.0.0.1 localhost\n192.0.2.11 pve1.example.com pve1\n";

/** Types of bpg, and what a person writes here for the object of the recorded state. */
const rows: readonly (readonly [from: string, to: string, config: Record<string, Input>])[] = [
  [`${long}dns`, "proxmox_node_dns", { node: "pve1", search_domain: "example.com", servers: ["192.0.2.53"] }],
  [`${long}time`, "proxmox_node_time", { node: "pve1", time_zone: "Europe/Vienna" }],
  [`${long}hosts`, "proxmox_node_hosts", { node: "pve1", content: entries }],
  ["proxmox_node_config", "proxmox_node_config", { node: "pve1", description: "rack 7" }],
  [
    "proxmox_cluster_options",
    "proxmox_cluster_options",
    {
      ...{ keyboard: "de", email_from: "pve@example.com", language: "de", max_workers: 5, mac_prefix: "BC:24:11" },
      bandwidth_limits: { default: 666_666, migration: 555_554 },
      migration: { type: "secure", network: "10.0.0.0/24" },
      ha: { shutdown_policy: "migrate" },
      crs: { ha: "static", ha_rebalance_on_start: true },
      next_id: { lower: 200, upper: 5000 },
      notify: { package_updates: "never" },
    },
  ],
  [
    "proxmox_acme_account",
    "proxmox_acme_account",
    { name: "lab", contact: ["ops@example.com"], directory, tos_url: terms },
  ],
  [
    "proxmox_acme_dns_plugin",
    "proxmox_acme_plugin",
    { id: "cloudflare", dns: { api: "cf", validation_delay: 60, data: { CF_Token: "cf-secret" } } },
  ],
  [
    "proxmox_acme_certificate",
    "proxmox_acme_certificate",
    { node: "pve1", account: "lab", domains: { "pve1.example.com": { plugin: "cloudflare" } } },
  ],
  ["proxmox_ceph_pool", "proxmox_ceph_pool", { name: "vms", size: 3, min_size: 2, pg_num: 64 }],
  ["proxmox_apt_standard_repository", "proxmox_apt_repository", { node: "pve1", repository: "no-subscription" }],
  [
    "proxmox_oci_image",
    "proxmox_oci_image",
    { node: "pve1", storage: "local", reference: "docker.io/library/alpine:3.22" },
  ],
];

test.each(rows)(
  "%s becomes %s, %j; the plan after it is empty, and no secret comes along",
  async (from, to, config) => {
    const resource = bench.resource(to);
    await resource.create(config);
    await bench.configure();
    const moved = await resource.move(bpg, from, stateOf({ from }));
    expect(JSON.stringify(moved.state)).not.toContain("-secret");
    const read = await resource.refresh(moved);
    expect((await resource.plan(read, config)).action).toBe("no-op");
  },
);

test("an entry by its place in a file becomes a package repository", async () => {
  const repositories = bench.resource("proxmox_apt_repository");
  const config = { node: "pve1", repository: "/etc/apt/sources.list.d/proxmox.sources#0", enabled: true };
  const read = await repositories.refresh(
    await repositories.move(bpg, "proxmox_apt_repository", stateOf({ from: "proxmox_apt_repository" })),
  );
  expect((await repositories.plan(read, config)).action).toBe("no-op");
});

test("a certificate of the node's own keeps its chain, and its key stays behind", async () => {
  const certificates = bench.resource("proxmox_node_certificate");
  const { certificate, private_key, ...old } = stateOf({ from: `${long}certificate` });
  expect(private_key).toBe("key-secret");
  const host = bench.simulator.sim.world.nodes["pve2"];
  if (host) host.certificate = { chain: String(certificate), key: "of the node" };
  const config = { node: "pve2", certificate_chain: String(certificate) };
  const moved = await certificates.move(bpg, `${long}certificate`, { ...old, certificate, private_key });
  expect(JSON.stringify(moved.state)).not.toContain("-secret");
  const read = await certificates.refresh(moved);
  expect((await certificates.plan(read, config)).action).toBe("no-op");
  const both = await certificates.move(bpg, `${long}certificate`, {
    ...old,
    certificate,
    certificate_chain: certificate,
  });
  expect(attribute(both, "certificate_chain")).toBe(`${String(certificate).trim()}\n${String(certificate).trim()}`);
});
