import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCertificate } from "../harness/client-certificate.ts";
import {
  Core,
  configurations,
  type Input,
  type Launched,
  launch,
  type Overrides,
  type Rule,
  RuleViolation,
  unknown,
} from "../harness/index.ts";
import { altered, TamperedWire, type Tampering } from "../harness/tampered-wire.ts";
import { buildCorner } from "./build-corner.ts";
import { temporaryFolder } from "./suite.ts";

const store = temporaryFolder("corner-store-");
const client = clientCertificate();
let provider: Launched;

beforeAll(async () => {
  const { path } = await buildCorner();
  provider = await launch([path], { client, env: { CORNER_FOLDER: store.path } });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
});

async function connect(): Promise<Core> {
  const core = await Core.connect(provider.wire);
  await core.configure({});
  return core;
}

describe("random configurations", () => {
  const cases = Number(process.env["CASES"] ?? 100);
  const size = fc.integer({ min: 0, max: 2 ** 40 });
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const colour = fc.constantFrom("red", "green", "blue");
  const parts = ["one", "several", "named", "any"];
  const overrides: Record<string, Overrides> = {
    corner_chained: {},
    corner_inheriting: {
      cores: fc.integer({ min: 1, max: 64 }),
      memory: fc.tuple(fc.integer({ min: 1, max: 4096 }), fc.constantFrom("G", "M")).map(([n, unit]) => `${n}${unit}`),
      "display.depth": size,
    },
    corner_judging: {},
    corner_numbers: { whole: size, fraction: fc.constantFrom(0.5, 0.1, 1e-7, 12345.678) },
    corner_open: {},
    corner_pair: { region: word, name: word, weight: size },
    corner_replaced: {},
    corner_secret: { password_version: size },
    corner_shapes: {
      set: fc.uniqueArray(size, { maxLength: 3 }),
      lists: fc.array(fc.array(size, { maxLength: 2 }), { maxLength: 2 }),
      object: fc.record({ a: fc.string(), b: size }),
      ...Object.fromEntries(
        parts.flatMap((part) => [
          [`${part}.size`, size],
          [`${part}.colour`, colour],
        ]),
      ),
    },
    corner_successor: { amount: size },
    corner_thing: { size },
  };

  test.each(Object.entries(overrides))("of %s follow all of Terraform's rules", async (type, given) => {
    const core = await connect();
    const resource = core.resource(type);
    const configuration = configurations(resource.schema.body, given);
    const begun = performance.now();
    let done = 0;
    await fc.assert(
      fc.asyncProperty(configuration, configuration, async (first, second) => {
        const made = await resource.create(first.config, first.atPlan);
        const changed = await resource.update(made, second.config, second.atPlan);
        await resource.destroy(changed);
        done += 1;
      }),
      { numRuns: cases, ...(process.env["CASES"] ? {} : { seed: 9 }) },
    );
    const perMinute = Math.round((done / (performance.now() - begun)) * 60_000);
    process.stderr.write(`${type}: ${done} random lifecycles, ${perMinute} per minute\n`);
  });
});

const nothing = 0xc0;

/** Answers the plan of a destruction with the unchanged object. */
const keepsPrior: Tampering["PlanResourceChange"] = (response, _, { config, prior_state }) =>
  config.msgpack[0] === nothing ? { ...response, planned_state: prior_state } : response;

const keepsState: Tampering["ApplyResourceChange"] = (response, _, { planned_state, prior_state }) =>
  planned_state.msgpack[0] === nothing ? { ...response, new_state: prior_state } : response;

describe("every broken rule is found", () => {
  const judging = { name: "one" };
  const secret = { password: "hunter2", password_version: 1 };
  const pair = { region: "north", name: "broken" };

  interface Fault {
    rule: Rule;
    fault: string;
    type: string;
    config: { [name: string]: Input };
    atPlan?: { [name: string]: Input };
    tamper(core: Core): Tampering;
  }

  const typeOf = (core: Core, name: string) => core.resource(name).schema.type;
  const plan =
    (type: string, changes: Parameters<typeof altered>[2], from = 1) =>
    (core: Core): Tampering => ({
      PlanResourceChange: (response, nth) =>
        nth < from
          ? response
          : { ...response, planned_state: altered(typeOf(core, type), response.planned_state, changes) },
    });
  const apply =
    (type: string, changes: Parameters<typeof altered>[2]) =>
    (core: Core): Tampering => ({
      ApplyResourceChange: (response) => ({
        ...response,
        new_state: altered(typeOf(core, type), response.new_state, changes),
      }),
    });

  const faults: Fault[] = [
    {
      rule: "values fit the schema",
      fault: "a plan without all attributes",
      type: "corner_judging",
      config: judging,
      tamper: () => ({
        PlanResourceChange: (response) => ({ ...response, planned_state: { msgpack: Buffer.of(0x80) } }),
      }),
    },
    {
      rule: "plan agrees with the configuration",
      fault: "a name other than the configured one",
      type: "corner_judging",
      config: judging,
      tamper: plan("corner_judging", { name: "two" }),
    },
    {
      rule: "final plan agrees with the first plan",
      fault: "a different digest once the rest is known",
      type: "corner_judging",
      config: { ...judging, old_name: "x" },
      atPlan: { ...judging, old_name: unknown },
      tamper: plan("corner_judging", { digest: "another" }, 2),
    },
    {
      rule: "result agrees with the plan",
      fault: "a name other than the planned one",
      type: "corner_judging",
      config: judging,
      tamper: apply("corner_judging", { name: "two" }),
    },
    {
      rule: "nothing is unknown after apply",
      fault: "an id that is still unknown",
      type: "corner_judging",
      config: judging,
      tamper: apply("corner_judging", { id: unknown }),
    },
    {
      rule: "write-only values are never returned",
      fault: "a password in the plan",
      type: "corner_secret",
      config: secret,
      tamper: plan("corner_secret", { password: "hunter2" }),
    },
    {
      rule: "nothing is deferred unless allowed",
      fault: "a deferred plan",
      type: "corner_judging",
      config: judging,
      tamper: () => ({ PlanResourceChange: (response) => ({ ...response, deferred: { reason: "ABSENT_PREREQ" } }) }),
    },
    {
      rule: "the legacy type system is not claimed",
      fault: "the flag of the old SDK",
      type: "corner_judging",
      config: judging,
      tamper: () => ({ ApplyResourceChange: (response) => ({ ...response, legacy_type_system: true }) }),
    },
    {
      rule: "identity is known and stays",
      fault: "a different name after reading",
      type: "corner_pair",
      config: pair,
      tamper: (core) => ({
        ReadResource: (response) => ({
          ...response,
          new_identity: {
            identity_data: altered(
              core.resource("corner_pair").schema.identity ?? { kind: "dynamic" },
              response.new_identity?.identity_data ?? null,
              { name: "x" },
            ),
          },
        }),
      }),
    },
    {
      rule: "upgrade keeps a current state",
      fault: "a name changed by an upgrade",
      type: "corner_judging",
      config: judging,
      tamper: (core) => ({
        UpgradeResourceState: (response) => ({
          ...response,
          upgraded_state: altered(typeOf(core, "corner_judging"), response.upgraded_state, { name: "two" }),
        }),
      }),
    },
    {
      rule: "read agrees with the result",
      fault: "a digest that reads differently",
      type: "corner_judging",
      config: judging,
      tamper: (core) => ({
        ReadResource: (response) => ({
          ...response,
          new_state: altered(typeOf(core, "corner_judging"), response.new_state, { digest: "another" }),
        }),
      }),
    },
    {
      rule: "second plan is empty",
      fault: "a digest that is always unknown",
      type: "corner_judging",
      config: judging,
      tamper: plan("corner_judging", { digest: unknown }),
    },
  ];

  async function tampered(tamper: (core: Core) => Tampering): Promise<Core> {
    const wire = new TamperedWire(provider.address, provider.credentials);
    const core = await Core.connect(wire);
    await core.configure({});
    Object.assign(wire.tampering, tamper(core));
    return core;
  }

  const violation = async (run: Promise<unknown>) => {
    const error = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(RuleViolation);
    return (error as RuleViolation).rule;
  };

  test.each(faults)("$rule: $fault", async ({ rule, type, config, atPlan = config, tamper }) => {
    const core = await tampered(tamper);
    expect(await violation(core.resource(type).create(config, atPlan))).toBe(rule);
  });

  test("replacement names an attribute that exists: one that does not", async () => {
    const core = await tampered(() => ({
      PlanResourceChange: (response, nth) =>
        nth < 4 ? response : { ...response, requires_replace: [{ steps: [{ attribute_name: "nonsense" }] }] },
    }));
    const made = await core.resource("corner_judging").create(judging);
    const update = core.resource("corner_judging").update(made, { name: "two" });
    expect(await violation(update)).toBe("replacement names an attribute that exists");
  });

  test.each<[string, Tampering]>([
    ["a plan to keep the object", { PlanResourceChange: keepsPrior }],
    ["an object that still exists", { ApplyResourceChange: keepsState }],
  ])("destroy plans nothing and leaves nothing: %s", async (_, tampering) => {
    const core = await tampered(() => tampering);
    const made = await core.resource("corner_thing").create({ name: "kept" });
    expect(await violation(core.resource("corner_thing").destroy(made))).toBe(
      "destroy plans nothing and leaves nothing",
    );
  });

  test("import yields the imported type: another one", async () => {
    const core = await tampered(() => ({
      ImportResourceState: (response) => ({
        ...response,
        imported_resources: response.imported_resources.map((one) => ({ ...one, type_name: "corner_thing" })),
      }),
    }));
    await core.resource("corner_pair").create(pair);
    expect(await violation(core.resource("corner_pair").import({ id: "north/broken" }))).toBe(
      "import yields the imported type",
    );
  });
});
