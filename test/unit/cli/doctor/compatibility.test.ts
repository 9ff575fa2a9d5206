import { describe, expect, test } from "vitest";
import { type Addition, additions } from "../../../../schema/pve/additions.ts";
import { readFacts } from "../../../../schema/pve/facts.ts";
import { placesIn } from "../../../../scripts/generate/docs/release-table.ts";
import { type Api, callKey } from "../../../../src/cli/doctor/compatibility/api-method.ts";
import { callsOf, resourceTypes } from "../../../../src/cli/doctor/compatibility/calls-by-type.ts";
import { compare, type Unknown } from "../../../../src/cli/doctor/compatibility/compare.ts";
import { knownApi } from "../../../../src/cli/doctor/compatibility/known-api.ts";
import { needsOf } from "../../../../src/cli/doctor/compatibility/needs.ts";
import { readDescription } from "../../../../src/cli/doctor/compatibility/read-description.ts";
import { since as attributesSince } from "../../../../src/kit/releases.ts";
import { registry } from "../../../../src/registry.ts";
import { apiDescription } from "../../../../src/simulator/core/kernel/api-description.ts";
import { emptyWorld } from "../../../../src/simulator/core/world/empty.ts";
import type { World } from "../../../../src/simulator/core/world/world.ts";
import { endpoints } from "../../../../src/simulator/endpoints.ts";
import { endpointsIn } from "../../../../src/simulator/versions.ts";

const known = await knownApi();
const method = { parameters: { properties: { a: { type: "string" } } }, permissions: { user: "all" } };
const tree = (path = "/x") => [{ path, info: { GET: method }, children: [], leaf: 1, text: "x" }];
const script = (text: string) => `const apiSchema = ${text}\n;\n\nlet viewer = [1];\n`;

describe("a description of an API", () => {
  test("is read from the script of the API viewer, with or without the viewer", () => {
    for (const text of [
      script(JSON.stringify(tree())),
      `var apiSchema=${JSON.stringify(tree())}`,
      JSON.stringify(tree()),
    ])
      expect([...readDescription(text).keys()]).toEqual(["GET /x"]);
  });

  test("is never run", () => {
    const text = script(`(globalThis.wasRun = true, ${JSON.stringify(tree())})`);
    expect(() => readDescription(text)).toThrow("it has no `apiSchema = [`");
    const inside = script(`[globalThis.wasRun = true]`);
    expect(() => readDescription(inside)).toThrow("not JSON");
    expect(globalThis).not.toHaveProperty("wasRun");
  });

  test.each([
    ["an empty text", "", "it has no `apiSchema = [`"],
    ["a page", "<html>not found</html>", "it has no `apiSchema = [`"],
    ["an array without an end", script('[{"path": "/x"'), "its array has no end"],
    ["a text without an end", `apiSchema = ["${'\\"'.repeat(1_000_000)}`, "its array has no end"],
    ["deep nesting", script("[".repeat(1_000_000)), "it is nested more than 100 levels deep"],
    ["no method", script("[]"), "it describes no method"],
    ["other things", script('[1, null, "x", {"info": 7}, {"path": 7, "info": {"GET": 1}}]'), "it describes no method"],
    ["a text that is too large", " ".repeat(33 * 1024 * 1024), "it is larger than 32 MiB"],
  ])("that is %s is refused", (_, text, problem) => {
    const begun = performance.now();
    expect(() => readDescription(text)).toThrow(problem);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test("with members that reach into prototypes, or of other types, is read without them", () => {
    const hostile =
      '{"__proto__": {"polluted": 1}, "constructor": 7, "properties": {"__proto__": {"type": "string"}, "b": 7}}';
    const text = script(
      `[{"path": "/x", "info": {"GET": {"parameters": ${hostile}, "permissions": [7]}, "TRACE": {}}}]`,
    );
    const [found] = readDescription(text).values();
    expect(found?.parameters.get("b")).toMatchObject({ type: "any" });
    expect({}).not.toHaveProperty("polluted");
    const evil = script(JSON.stringify([...tree("/x\n✔ compatible"), ...tree()]));
    expect([...readDescription(evil).keys()]).toEqual(["GET /x"]);
  });
});

describe("what resources need", () => {
  test("is known of every resource", () => {
    expect(resourceTypes).toEqual(Object.keys(registry.resources).sort());
  });

  test.each(resourceTypes)("of %s: calls that Proxmox VE has", async (type) => {
    expect((await callsOf(type)).filter((call) => !known.api.has(callKey(call)))).toEqual([]);
  });
});

const everything = await Promise.all(
  resourceTypes.map(async (type) => ({ needs: await needsOf(type, known.api), written: new Map() })),
);
const later = additions.filter(({ since, call }) => since !== "9.0" && call !== undefined);

/** What a later release takes of parameters that existed before, for another type or in another form. */
const wider = [
  "proxmox_ha_rule.affinity=negative",
  "proxmox_sdn_controller.evpn.ebgp_multihop",
  "proxmox_sdn_fabric.bgp",
  "proxmox_sdn_fabric_node.interfaces.*.network_type",
];

describe("what came after 9.0", () => {
  test("is only wider where a plan checks it", () => {
    expect(wider.filter((name) => attributesSince[name] === undefined)).toEqual([]);
  });

  test.each(Object.entries(attributesSince).filter(([name]) => !wider.includes(name)))(
    "%s of the plan's checks is a fact: %s",
    async (name, first) => {
      const found = (await placesIn(known, name)).flatMap(({ call, ...place }) => known.since(call, place) ?? []);
      expect([...new Set(found)]).toEqual([first]);
    },
  );

  test("is checked by plans, as far as resources have it", async () => {
    const unchecked: string[] = [];
    for (const type of resourceTypes) {
      const { calls, attributes } = await needsOf(type, known.api);
      const isNew = calls.map((call) => known.since(call)).find((one) => one !== undefined);
      if (isNew !== undefined && attributesSince[type] === undefined) unchecked.push(type);
      if (isNew !== undefined) continue;
      for (const { path, places } of attributes) {
        const [first] = places.map(({ call, ...place }) => known.since(call, place));
        const name = `${type}.${path}`;
        const isChecked = Object.keys(attributesSince).some((one) => `${name}.`.startsWith(`${one}.`));
        if (first !== undefined && !isChecked) unchecked.push(`${name} since ${first}`);
      }
    }
    expect(unchecked).toEqual([]);
  });

  test("is in the description of the API, as far as that has been read", () => {
    const facts = readFacts();
    const isThere = ({ call = "" }: Addition) => [...facts.keys()].some((one) => one.startsWith(call));
    // What the description of VERSION does not have yet is of SDN.
    expect(later.filter((one) => !isThere(one)).every(({ call }) => call?.includes("/cluster/sdn/"))).toBe(true);
  });

  const worldOf = (version: string): World => {
    const world = emptyWorld();
    return { ...world, version: { ...world.version, version, release: version.split(".").slice(0, 2).join(".") } };
  };
  const apis = new Map<string, Api>();
  const simulatedApi = (version: string): Api => {
    const found = apis.get(version) ?? readDescription(apiDescription(endpointsIn(worldOf(version), endpoints)));
    apis.set(version, found);
    return found;
  };
  const full = simulatedApi("9.99");
  const hasPlace = (api: Api, { call = "", parameter, key, value }: Addition): boolean => {
    if (parameter === undefined) return [...api.values()].some((one) => `${one.call}/`.startsWith(`${call}/`));
    const found = api.get(callKey(call))?.parameters.get(parameter);
    const rules = key === undefined ? found : found?.keys.get(key);
    return rules !== undefined && (value === undefined || rules.values?.includes(value) === true);
  };
  const before = (version: string): string => {
    const [major = 9, minor = 0, patch] = version.split(".").map(Number);
    return patch === undefined ? `${major}.${minor - 1}.99` : `${major}.${minor}.${patch - 1}`;
  };
  const served = later.filter((one) => hasPlace(full, one));

  test.each(
    served.map((one) => [[one.call, one.parameter, one.key, one.value].filter(Boolean).join(" "), one] as const),
  )("is unknown to the simulator of an older version: %s", (_, one) => {
    expect([before(one.since), one.since].map((version) => hasPlace(simulatedApi(version), one))).toEqual([
      false,
      true,
    ]);
  });

  test("is all that the simulator of 9.0 lacks", () => {
    const { missing, unknown, changed } = compare(full, { ...known, api: simulatedApi("9.0") }, everything, true);
    expect(missing).toEqual([]);
    expect(changed).toEqual([]);
    const isFact = ({ call, parameter = "", value }: Unknown) => {
      const [name, key] = parameter.split(".");
      return known.since(call, { ...(name && { parameter: name }), key, value }) !== undefined;
    };
    expect(unknown.length).toBeGreaterThan(20);
    expect(unknown.filter((one) => !isFact(one))).toEqual([]);
  });
});
