import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulator, type Simulator, startSimulator } from "#simulator";
import { Dice } from "../../../programs/chaos/dice.ts";
import { run } from "../../../src/cli/doctor/compatibility/compatibility.ts";
import { type, variablesFor } from "./person.ts";

const cases = Number(process.env["CASES"] ?? 25);
const folder = mkdtempSync(join(tmpdir(), "compatibility-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Branch {
  readonly path: string;
  readonly info?: Record<string, Described>;
  readonly children?: Branch[];
}

interface Described {
  readonly parameters: { readonly properties: Record<string, object> };
  permissions?: { check?: unknown };
}

interface Printed {
  readonly compatible: boolean;
  readonly missing: readonly { type: string; attribute?: string; calls: string[]; needed: boolean; since?: string }[];
  readonly unknown: readonly { call: string; parameter?: string }[];
  readonly changed: readonly { call: string; parameter?: string; what: string }[];
  readonly demanded: readonly { call: string; parameter: string }[];
  readonly privileges_gone: readonly string[];
}

const compare = async (env: Record<string, string>, ...args: string[]) => {
  const { code, stdout, stderr } = await type(run, [...args, "--json"], env);
  expect(stderr).toBe("");
  return { code, ...(JSON.parse(stdout) as Printed) };
};

const routing = ["proxmox_sdn_prefix_list", "proxmox_sdn_route_map_entry"];

describe("the API of a simulated host", () => {
  const hosts: Record<string, Simulator> = {};
  beforeAll(async () => {
    for (const pve of ["9.0", "9.1", "9.2"] as const) hosts[pve] = await startSimulator({ pve });
  });
  afterAll(() => Promise.all(Object.values(hosts).map((host) => host.close())));
  const envOf = (pve: string) => variablesFor(hosts[pve] as Simulator);

  it("of 9.2 is the one that the provider knows", async () => {
    expect(await compare(envOf("9.2"))).toMatchObject({
      ...{ code: 0, compatible: true, missing: [], unknown: [], changed: [], demanded: [], privileges_gone: [] },
    });
    const { stdout } = await type(run, [], envOf("9.2"));
    expect(stdout).toMatch(/^Proxmox VE 9\.2\.11 and this provider, .*\n\nCompatible\.\n$/);
  });

  it.each([
    [
      "9.0",
      ["proxmox_cpu_model", "proxmox_oci_image", ...routing],
      ["proxmox_vm.intel_tdx 9.1", "proxmox_container.env 9.1"],
    ],
    [
      "9.1",
      ["proxmox_cpu_model", ...routing],
      ["proxmox_cluster_options.location 9.1.13", "proxmox_vm.networks.*.host_tunnel 9.2.4"],
    ],
  ])("of %s lacks what came later", async (pve, types, attributes) => {
    const { code, missing } = await compare(envOf(pve));
    expect(code).toBe(1);
    expect(missing.filter(({ needed }) => needed).map((one) => one.type)).toEqual(types);
    const optional = missing.map((one) => `${one.type}.${one.attribute} ${one.since}`);
    expect(optional).toEqual(expect.arrayContaining(attributes));
    const { stdout } = await type(run, [], envOf(pve));
    expect(stdout).toContain("✘  proxmox_cpu_model ");
    expect(stdout).toMatch(/\nNot compatible: \d problems?\.\n$/);
  });

  it("is compared with what is named only", async () => {
    expect(await compare(envOf("9.0"), "proxmox_pool")).toMatchObject({ code: 0, missing: [] });
    expect(await compare(envOf("9.0"), "proxmox_vm")).toMatchObject({ code: 0, compatible: true });
    expect(await compare(envOf("9.0"), "proxmox_vm.intel_tdx")).toMatchObject({ code: 1 });
    expect(await type(run, ["proxmox_wm"], envOf("9.0"))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("proxmox_wm is unknown. Did you mean `proxmox_vm`"),
    });
  });

  it("is compared with a configuration and with a state", async () => {
    const place = join(folder, "stack", "modules");
    mkdirSync(place, { recursive: true });
    const networks = 'networks = { net0 = { bridge = "vmbr0", host_tunnel = true } }';
    writeFileSync(join(place, "main.tf"), `resource "proxmox_vm" "a" {\n  name = "a"\n  ${networks}\n}\n`);
    writeFileSync(
      join(folder, "stack", "o.tf"),
      'resource "proxmox_cluster_options" "o" {\n  crs = { ha = "dynamic" }\n}\n',
    );
    const { code, missing } = await compare(envOf("9.1"), join(folder, "stack"));
    expect(code).toBe(1);
    expect(missing.filter(({ needed }) => needed)).toMatchObject([
      { type: "proxmox_cluster_options", attribute: "crs.ha", value: "dynamic", since: "9.1.8" },
      { type: "proxmox_vm", attribute: "networks.*.host_tunnel", since: "9.2.4" },
    ]);
    const state = join(folder, "terraform.tfstate");
    const resources = ["proxmox_pool", "proxmox_cpu_model", "random_id"].map((one) => ({ mode: "managed", type: one }));
    writeFileSync(state, JSON.stringify({ version: 4, resources }));
    expect(await compare(envOf("9.1"), state)).toMatchObject({ code: 1, missing: [{ type: "proxmox_cpu_model" }] });
    expect(await type(run, [join(folder, "none")], envOf("9.1"))).toMatchObject({ code: 2 });
  });
});

let text: string | undefined;

/** The description of the simulator, as a tree that a test can change. */
async function description(): Promise<Branch[]> {
  text ??= await describedBySimulator();
  return JSON.parse(text.replace(/^const apiSchema = /, "").replace(/\n;\n.*$/s, "")) as Branch[];
}

async function describedBySimulator(): Promise<string> {
  const cluster = createSimulator();
  const answer = await cluster.fetch(new Request("https://pve1:8006/pve-docs/api-viewer/apidoc.js"));
  await cluster.close();
  return answer.text();
}

const methodsIn = (branches: readonly Branch[]): { call: string; branch: Branch; method: string }[] =>
  branches.flatMap((branch) => [
    ...Object.keys(branch.info ?? {}).map((method) => ({ call: `${method} ${branch.path}`, branch, method })),
    ...methodsIn(branch.children ?? []),
  ]);

describe("a description with random changes", () => {
  const file = (tree: readonly Branch[]): string => {
    const path = join(folder, "apidoc.js");
    writeFileSync(path, `const apiSchema = ${JSON.stringify(tree)}\n;\n`);
    return path;
  };

  it.each(Array.from({ length: cases }, (_, seed) => seed))(
    "is compared without a failure, and each change is found: %d",
    async (seed) => {
      const dice = new Dice(seed);
      const tree = await description();
      const methods = methodsIn(tree);
      const some = () => Array.from({ length: dice.int(1, 4) }, () => dice.pick(methods));
      const [gone, changed] = [some(), some()].map((all) => [...new Map(all.map((one) => [one.call, one])).values()]);
      const removed = changed?.flatMap(({ call, branch, method }) => {
        const properties = branch.info?.[method]?.parameters.properties ?? {};
        const names = Object.keys(properties).filter((name) => !branch.path.includes(`{${name}}`));
        const name = names.length === 0 || gone?.some((one) => one.call === call) ? undefined : dice.pick(names);
        properties["x-future"] = { type: "string", optional: 1 };
        if (name !== undefined) delete properties[name];
        return name === undefined ? [] : [{ call, name }];
      });
      for (const { branch, method } of gone ?? []) delete branch.info?.[method];
      tree.push({ path: "/x-future", info: { GET: { parameters: { properties: {} } } } });
      const {
        code,
        compatible,
        missing,
        unknown,
        demanded,
        changed: differing,
      } = await compare({}, "--api", file(tree));
      const lacking = new Set(missing.flatMap(({ attribute, calls }) => (attribute === undefined ? calls : [])));
      const calls = (gone ?? []).map(({ call }) => call);
      expect([...lacking].filter((call) => !calls.includes(call))).toEqual([]);
      expect(code).toBe(compatible ? 0 : 1);
      expect(compatible).toBe(!missing.some(({ needed }) => needed));
      for (const { attribute, calls: of } of missing) {
        if (attribute !== undefined) expect(removed?.some(({ call }) => of.includes(call))).toBe(true);
      }
      expect(unknown).toContainEqual({ call: "GET /x-future" });
      expect(unknown.filter(({ call, parameter }) => call !== "GET /x-future" && parameter !== "x-future")).toEqual([]);
      expect([demanded, differing]).toEqual([[], []]);
    },
  );

  it("shows what has another type, other bounds, other privileges, and what is required now", async () => {
    const tree = await description();
    const { branch } = methodsIn(tree).find(({ call }) => call === "POST /access/groups") ?? {};
    const post = branch?.info?.["POST"];
    if (post === undefined) throw new Error("POST /access/groups is not described");
    post.parameters.properties["comment"] = { type: "integer", optional: 1, maximum: 7 };
    post.parameters.properties["owner"] = { type: "string" };
    post.permissions = { check: ["perm", "/access/groups", ["Group.Create"]] };
    const { code, changed, demanded } = await compare({}, "--api", file(tree), "proxmox_group");
    expect(code).toBe(1);
    expect(demanded).toEqual([{ call: "POST /access/groups", parameter: "owner" }]);
    expect(changed).toEqual([
      { call: "POST /access/groups", parameter: "comment", what: "type", known: "string", host: "integer" },
      { call: "POST /access/groups", parameter: "comment", what: "maximum", known: "none", host: "7" },
      {
        ...{ call: "POST /access/groups", what: "permission" },
        ...{ known: "Group.Allocate on /access/groups", host: "Group.Create on /access/groups" },
      },
    ]);
  });

  it("that is no description is refused", async () => {
    const path = join(folder, "page.js");
    writeFileSync(path, "<html>");
    const { code, stdout, stderr } = await type(run, ["--api", path], {});
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^The API description cannot be read, the one in .*: it has no `apiSchema = \[`\.\n$/);
    expect(await type(run, ["--api", join(folder, "none.js")], {})).toMatchObject({ code: 2 });
  });
});
