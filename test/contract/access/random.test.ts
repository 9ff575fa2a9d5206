import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configurations, type Input, type Overrides } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ as: "root@pam" });
  Object.assign(bench.simulator.sim.world.access.groups, { dev: {}, ops: {} });
});

afterAll(() => bench.close());

const cases = Number(process.env["CASES"] ?? 10);
const seed = Number(process.env["SEED"] ?? 5);

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((value) => value.normalize("NFC"))
  .filter((value) => value !== "0" && value === value.replace(/^ +| +$/g, ""));
const some = (names: readonly string[]) => fc.subarray([...names]).map((chosen) => chosen as Input);
const moment = fc
  .tuple(fc.date({ min: new Date("2030-01-01"), max: new Date("2090-01-01"), noInvalidDate: true }), fc.boolean())
  .map(([date, isLocal]) => date.toISOString().replace(/\.\d+Z$/, isLocal ? "+05:30" : "Z"));

interface Kind {
  readonly type: string;
  readonly overrides: Overrides;
  /** What stays the same during the whole life cycle: the identity. */
  readonly identity: (name: string) => { readonly [name: string]: Input };
}

const privileges = ["VM.Audit", "VM.Clone", "Sys.Audit", "Datastore.Audit", "Pool.Audit"];

const kinds: Kind[] = [
  {
    type: "proxmox_pool",
    overrides: { comment: text, storages: some(["ceph", "local", "nas"]) },
    identity: (name) => ({ id: name }),
  },
  { type: "proxmox_role", overrides: { privileges: some(privileges) }, identity: (name) => ({ id: name }) },
  {
    type: "proxmox_user",
    overrides: {
      comment: text,
      first_name: text,
      last_name: text,
      email: fc.constantFrom("a@example.com", "first.last+tag@example.org"),
      expire: moment,
      groups: some(["dev", "ops"]),
      password: fc.constantFrom("first-password", "second-password"),
      password_version: fc.integer({ min: 1, max: 3 }),
    },
    identity: (name) => ({ id: `${name}@pve` }),
  },
  {
    type: "proxmox_token",
    overrides: { comment: text, expire: moment, rotate: text },
    identity: (name) => ({ user: "noacl@pve", name }),
  },
  {
    type: "proxmox_acl",
    overrides: {},
    identity: (name) => ({
      path: `/pool/${name}`,
      role: "PVEAuditor",
      user: "noacl@pve",
      group: undefined,
      token: undefined,
    }),
  },
];

describe.each(kinds)("any configuration of $type", ({ type, overrides, identity }) => {
  test("can be applied, found unchanged, and changed into any other", async () => {
    const resource = bench.resource(type);
    const any = configurations(resource.schema.body, overrides);
    let count = 0;
    const property = fc.asyncProperty(any, any, async (first, second) => {
      count += 1;
      const fixed = identity(`random-${count}`);
      const made = await resource.create({ ...first.config, ...fixed }, { ...first.atPlan, ...fixed });
      const changed = await resource.update(made, { ...second.config, ...fixed }, { ...second.atPlan, ...fixed });
      await resource.destroy(changed);
      expect(await resource.find(changed)).toBeNull();
    });
    await fc.assert(property, { numRuns: cases, seed, endOnFailure: true });
  });
});
