import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
afterAll(() => bench.close());

const numbers = Array.from({ length: 50 }, (_, index) => index + 1);

/** Fifty objects of one file each, at once: PVE's own lock of the file is held for one write at a time. */
const kinds: readonly (readonly [
  type: string,
  of: (n: number) => Record<string, Input>,
  change: Record<string, Input>,
])[] = [
  ["proxmox_group", (n) => ({ id: `group-${n}` }), { comment: "changed" }],
  ["proxmox_firewall_alias", (n) => ({ name: `net${n}`, cidr: `198.51.100.${n}` }), { comment: "changed" }],
  ["proxmox_acme_plugin", (n) => ({ id: `plugin-${n}`, dns: { api: "cf" } }), { enabled: false }],
  ["proxmox_cpu_model", (n) => ({ name: `model-${n}`, reported_model: "kvm64" }), { hidden: true }],
  ["proxmox_notification_matcher", (n) => ({ name: `matcher-${n}` }), { comment: "changed" }],
];

describe.each(kinds)("50 of %s", (type, of, change) => {
  test("are created, changed and removed at once", async () => {
    const resource = bench.resource(type);
    const made = await Promise.all(numbers.map((n) => resource.create(of(n))));
    const changed = await Promise.all(made.map((one, index) => resource.update(one, { ...of(index + 1), ...change })));
    await Promise.all(changed.map((one) => resource.destroy(one)));
    expect(await Promise.all(changed.map((one) => resource.find(one)))).toEqual(numbers.map(() => null));
  });
});
