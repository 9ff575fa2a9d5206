import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../harness/index.ts";
import { ResourceBench } from "./resource-bench.ts";

const template = { template: "debian-13-cloud" };
const volume = "local:vztmpl/debian-12-standard_12.2-1_amd64.tar.zst";
const rootfs = { storage: "local-lvm", size: "8G" };
const container = (more: object) => ({
  ...{ name: "ct", node: "pve1", image: { volume }, mounts: { rootfs } },
  ...more,
});
const crs = (more: object) => ({ crs: { ha: "static", ...more } });
const position = { latitude: 48.2, longitude: 16.4 };

/** Each with the first version that has it, and what the message names. */
const additions: readonly (readonly [type: string, config: object, first: string, named: string])[] = [
  ["proxmox_cpu_model", { name: "small", reported_model: "kvm64" }, "9.1.15", "this"],
  ["proxmox_oci_image", { node: "pve1", storage: "local", reference: "docker.io/library/alpine:3" }, "9.1", "this"],
  ["proxmox_cluster_options", { crs: { ha: "dynamic" } }, "9.1.8", '`ha = "dynamic"`'],
  ["proxmox_cluster_options", crs({ ha_auto_rebalance: true }), "9.1.8", "`ha_auto_rebalance`"],
  [
    "proxmox_cluster_options",
    crs({ ha_auto_rebalance: true, ha_auto_rebalance_margin: 5 }),
    "9.1.14",
    "`ha_auto_rebalance_margin`",
  ],
  ["proxmox_cluster_options", { location: position }, "9.1.13", "`location`"],
  ["proxmox_node_config", { node: "pve1", location: position }, "9.1.13", "`location`"],
  ["proxmox_ha_resource", { sid: "vm:9000", auto_rebalance: false }, "9.1.13", "`auto_rebalance`"],
  [
    "proxmox_ha_rule",
    {
      ...{ name: "away", type: "node-affinity", resources: ["vm:9000"] },
      ...{ nodes: { pve1: 0 }, affinity: "negative" },
    },
    "9.2.6",
    '`affinity = "negative"`',
  ],
  ["proxmox_container", container({ env: { A: "b" } }), "9.1", "`env`"],
  ["proxmox_container", container({ entrypoint: "/init" }), "9.1", "`entrypoint`"],
  [
    "proxmox_container",
    container({ mounts: { rootfs: { ...rootfs, id_map: ["passthrough"] } } }),
    "9.1.12",
    "`id_map`",
  ],
  ["proxmox_vm", { name: "new", clone: template, intel_tdx: { type: "tdx" } }, "9.1", "`intel_tdx`"],
  [
    "proxmox_vm",
    { name: "new", clone: template, networks: { net0: { bridge: "vmbr0", host_tunnel: true } } },
    "9.2.4",
    "`host_tunnel`",
  ],
];

/** The version before one: of 9.1 a late 9.0. */
function versionBefore(version: string): string {
  const [major = 9, minor = 0, patch] = version.split(".").map(Number);
  return patch === undefined ? `${major}.${minor - 1}.18` : `${major}.${minor}.${patch - 1}`;
}

const tooOld = /Host is too old/;

describe.each([...new Set(additions.map(([, , first]) => first))])("what came with %s", (first) => {
  const benches: ResourceBench[] = [];
  const open = async (version: string) => {
    const release = version.split(".").slice(0, 2).join(".");
    const seed = { ...(defaultSeed() as object), version: { version, release, repoid: "0" } };
    benches.push(await ResourceBench.open({ seed }));
  };
  beforeAll(async () => {
    await open(versionBefore(first));
    await open(first);
  });
  afterAll(() => Promise.all(benches.map((bench) => bench.close())));

  const here = additions.filter(([, , since]) => since === first);

  test.each(here)(
    "%s: %j is refused in the plan by an older host, and not by this one",
    async (type, config, _, named) => {
      const [old, next] = benches;
      const plan = (bench: ResourceBench | undefined) => bench?.resource(type).plan(null, config as Input);
      const said = `Proxmox VE has ${named} since ${first}, and the host has ${versionBefore(first)}`;
      await expect(plan(old)).rejects.toThrow(said);
      const refusal = await Promise.resolve(plan(next)).then(() => "", String);
      expect(refusal).not.toMatch(tooOld);
    },
  );
});

test("the simulator of an older version knows no later call and no later parameter", async () => {
  const version = { version: "9.1.6", release: "9.1", repoid: "0" };
  const bench = await ResourceBench.open({ seed: { ...(defaultSeed() as object), version } });
  try {
    await bench.configure(undefined, { plan_checks: "off" });
    const model = bench.resource("proxmox_cpu_model").create({ name: "small", reported_model: "kvm64" });
    await expect(model).rejects.toThrow("not implemented");
    const options = bench.resource("proxmox_cluster_options").create({ location: position });
    await expect(options).rejects.toThrow("location");
  } finally {
    await bench.close();
  }
});
