import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClient, resolveSettings } from "#pve";
import type { Input } from "../../harness/index.ts";
import { openEphemeral } from "../ephemeral.ts";
import { grantLittle, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_LOG_LEVEL: "debug" } });
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const open = (config: Input) => openEphemeral(bench.provider, "proxmox_token", config);
const access = () => bench.simulator.sim.world.access;
const tokens = () => Object.entries(access().users["terraform@pve"]?.tokens ?? {}).filter(([name]) => name !== "tf");
const create = "POST /access/users/{userid}/token/{tokenid}";

/** What a token may do, according to a request with the token itself. */
async function rightsOf(value: { readonly [name: string]: unknown }): Promise<string[]> {
  const { url, caCertificate } = bench.simulator;
  const settings = { endpoints: [url], caCertificate, apiToken: `${value["id"]}=${value["value"]}` };
  const client = createClient(resolveSettings(settings));
  try {
    return Object.keys((await client.access.getPermissions())["/vms"] ?? {});
  } finally {
    await client.close();
  }
}

describe("an ephemeral token", () => {
  test("has the privileges of its user, expires automatically, and is removed when it is closed", async () => {
    const { value, close } = await open({ user: "terraform@pve", lifetime: "30m" });
    expect(await rightsOf(value)).toContain("VM.Clone");
    const [[name, token] = []] = tokens();
    expect(value).toMatchObject({ name, id: `terraform@pve!${name}`, value: token?.secret });
    const minutes = ((token?.expire ?? 0) - bench.simulator.sim.clock.now()) / 60;
    expect(minutes).toBeLessThanOrEqual(31);
    expect(Date.parse(String(value["expire"])) / 1000).toBe(token?.expire);
    await close();
    expect(tokens()).toEqual([]);
    expect(bench.provider.stderr()).not.toContain(token?.secret);
  });

  test("has only the privileges that it was given", async () => {
    const permissions = [{ path: "/vms", role: "PVETemplateUser" }];
    const { value, close } = await open({ user: "terraform@pve", permissions });
    expect((await rightsOf(value)).sort()).toEqual(["VM.Audit", "VM.Clone"]);
    await close();
    expect(access().acl.filter(({ type }) => type === "token")).toEqual([]);
  });

  test("is prolonged while the run lasts", async () => {
    const { renew, close } = await open({ user: "terraform@pve" });
    const [[, token] = []] = tokens();
    if (token) token.expire = 1;
    await renew();
    expect(tokens()[0]?.[1].expire).toBeGreaterThan(bench.simulator.sim.clock.now());
    await close();
  });

  test("whose permissions cannot be granted is removed again", async () => {
    const permissions = [{ path: "/vms", role: "Nope" }];
    await expect(open({ user: "terraform@pve", permissions })).rejects.toThrow(/role 'Nope' does not exist/);
    expect(tokens()).toEqual([]);
  });

  test("whose secret was lost is created again", async () => {
    bench.simulator.faults.order({ do: "answer", call: create, status: 596, after: 1 });
    const { value, close } = await open({ user: "terraform@pve" });
    expect(tokens()).toHaveLength(1);
    expect(value["value"]).toBe(tokens()[0]?.[1].secret);
    await close();
  });

  test("that another client has removed is closed all the same", async () => {
    const { close } = await open({ user: "terraform@pve", name: "mine" });
    delete access().users["terraform@pve"]?.tokens["mine"];
    await close();
  });
});

test.each([
  ["a name that is taken", { user: "terraform@pve", name: "tf" }, /Token "terraform@pve!tf" exists already/],
  ["no duration", { user: "terraform@pve", lifetime: "soon" }, /a duration such as/],
  ["seconds", { user: "terraform@pve", lifetime: "5s" }, /at least a minute/],
  ["a path PVE does not know", { user: "terraform@pve", permissions: [{ path: "/x", role: "PVEAuditor" }] }, /path/],
])("%s is refused", async (_, config, message) => {
  await expect(open(config)).rejects.toThrow(message);
});

test("a missing privilege is named", async () => {
  grantLittle(bench.simulator);
  await bench.restart("noacl@pve!tf");
  await expect(open({ user: "terraform@pve" })).rejects.toThrow(/Grant User\.Modify on \/access\/groups/);
});
