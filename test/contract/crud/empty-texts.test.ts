import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registry } from "../../../src/registry.ts";
import { template } from "../container/suite.ts";
import { ResourceBench } from "../resource-bench.ts";
import { badConfigs, problemWith } from "./bad-values.ts";
import { prepareForRows, seedForRows } from "./bench.ts";
import { handRows } from "./hand-rows.ts";
import type { Row } from "./row.ts";
import { withValue } from "./row.ts";
import { casesOf, rows } from "./rows.ts";
import { settingsRows } from "./settings-rows.ts";

const rule = { type: "in", action: "ACCEPT", proto: "tcp", dport: "8006", comment: "web" };
const card = { bridge: "vmbr0" };

/** Everything else that has texts, in the form of those with a definition. */
const guestRows: readonly Row[] = [
  { type: "proxmox_snapshot", base: { vmid: 104, name: "first" }, values: { description: ["first", "second"] } },
  {
    type: "proxmox_vm",
    base: { vmid: 7001, name: "texts", node: "pve1", power: "stopped" },
    values: {
      disks: [{ scsi0: { storage: "local-lvm", size: "1G" } }, { scsi0: { storage: "local-lvm", size: "1G" } }],
      networks: [{ net0: card }, { net0: card }],
      cdroms: [{ ide2: {} }, { ide2: {} }],
      numa_nodes: [{ numa0: { cpus: ["0"], memory: "1G" } }, { numa0: { cpus: ["0"], memory: "1G" } }],
    },
  },
  {
    type: "proxmox_container",
    base: {
      ...{ vmid: 7002, name: "texts", node: "pve1", power: "stopped", image: { volume: template } },
      mounts: { rootfs: { storage: "local-lvm", size: "4G" } },
    },
    values: { networks: [{ net0: { ...card, name: "eth0" } }, { net0: { ...card, name: "eth1" } }] },
  },
  { type: "proxmox_disk", base: { storage: "local-lvm", node: "pve1", name: "data", size: "1G" }, values: {} },
  {
    type: "proxmox_file",
    base: { storage: "local", node: "pve1", content: "iso", name: "a.img", text: "text" },
    values: {},
  },
  { type: "proxmox_firewall_options", base: { cluster: { enabled: false } }, values: {} },
  { type: "proxmox_firewall_options", base: { node: { node: "pve1" } }, values: {} },
  { type: "proxmox_firewall_rules", base: { rules: [rule] }, values: {} },
  {
    type: "proxmox_firewall_policy",
    base: { node: "pve2", options: { enabled: false }, rules: [rule] },
    values: {},
  },
  {
    type: "proxmox_firewall_policy",
    base: { aliases: { office: { cidr: "198.51.100.0/24" } }, ipsets: { admins: { entries: { "192.0.2.1": {} } } } },
    values: {},
  },
];

/** They have no optional text that lives on the server, or need a disk or a server of their own: their tests try it. */
const apart = [
  ...["proxmox_container_template", "proxmox_download", "proxmox_oci_image", "proxmox_sdn_ip"],
  ...["proxmox_node_directory", "proxmox_node_lvm", "proxmox_node_lvmthin", "proxmox_node_zfs_pool"],
];

const all = [...rows, ...settingsRows, ...handRows, ...guestRows];

let bench: ResourceBench;

beforeAll(async () => {
  const env = { PROXMOX_VE_LOCK_WAITS: "10ms,20ms,40ms,80ms" };
  bench = await ResourceBench.open({
    ...{ as: "root@pam", env },
    seed: { ...seedForRows(), container_templates: [template] },
  });
  prepareForRows(bench.simulator.sim.world);
});
afterAll(() => bench.close());

test("every type is tried", () => {
  const tried = new Set([...all.map(({ type }) => type), ...apart]);
  expect(Object.keys(registry.resources).filter((type) => !tried.has(type))).toEqual([]);
});

/** A module passes `""` on for "none". */
describe.each(casesOf(all))("an empty text in $name", ({ type, base, values, prepare }) => {
  beforeAll(() => prepare?.(bench.simulator.sim.world));

  test("is kept, or refused in the plan", async () => {
    const everything = Object.entries(values).reduce(
      (config, [path, [, value]]) => withValue(config, path, value),
      base,
    );
    const resource = bench.resource(type);
    const findings: string[] = [];
    const empty = badConfigs(resource.schema.body, base, everything).filter(({ value }) => value === "");
    for (const { path, config } of empty) {
      const problem = await problemWith(resource, config);
      if (problem !== null) findings.push(`${path}: ${problem}`);
    }
    expect(findings).toEqual([]);
  });
});
