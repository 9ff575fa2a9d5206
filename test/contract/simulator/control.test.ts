import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "../../../src/simulator/endpoints.ts";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { call, RawConnection } from "./client.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 100, tidy: true });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const control = (order: object) => call(simulator, "POST", "/simulator/control", { json: order });

describe("out-of-band actions", () => {
  test("a guest stops or starts to listen", async () => {
    await control({ action: "guest", vmid: 9000, agent: false });
    expect(simulator.sim.world.guests[9000]?.behaviour).toEqual({ agent: false, acpi: true });
  });

  test("a node that is down has a guest, and goes away with it", async () => {
    await control({ action: "remote_vm", node: "far", vmid: 400, conf: { memory: 512 } });
    expect(simulator.sim.world.guests[400]).toMatchObject({ node: "far", config: { memory: "512" } });
    expect(await call(simulator, "GET", "/nodes/far/tasks")).toMatchObject({
      status: 595,
      reason: "Connection refused",
    });
    await control({ action: "drop_node", node: "far" });
    expect(simulator.sim.world.guests[400]).toBeUndefined();
    expect((await call(simulator, "GET", "/nodes/far/tasks")).reason).toBe(
      "hostname lookup 'far' failed - failed to get address info for: far: Name or service not known",
    );
  });

  test.each([
    [
      { action: "explode" },
      "'action' must be one of guest, hold_lock, remote_vm, drop_node, interfaces, repair_network",
    ],
    [
      { action: "constructor" },
      "'action' must be one of guest, hold_lock, remote_vm, drop_node, interfaces, repair_network",
    ],
    [{ action: "guest", vmid: 1 }, "guest 1 does not exist"],
  ])("%j is refused", async (order, error) => {
    expect(await control(order)).toMatchObject({ status: 400, body: { error } });
  });
});

describe("a reset", () => {
  test("restores the seed and forgets tasks and faults", async () => {
    await call(simulator, "POST", "/access/groups", { form: { groupid: "g1" } });
    await call(simulator, "POST", "/simulator/faults", { json: { do: "answer", call: "GET /version", status: 596 } });
    expect((await call(simulator, "POST", "/simulator/reset", { json: {} })).status).toBe(200);
    expect((await call(simulator, "GET", "/access/groups")).body.data).toEqual([]);
    expect((await call(simulator, "GET", "/version")).status).toBe(200);
    expect((await call(simulator, "GET", "/simulator/faults")).body.data).toEqual([]);
  });

  test("keeps tickets valid, as a restored cluster does", async () => {
    const form = { username: "root@pam", password: "proxmox" };
    const login = await call(simulator, "POST", "/access/ticket", { token: null, form });
    simulator.reset();
    const { ticket } = login.body.data as { ticket: string };
    const headers = { Cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}` };
    expect((await call(simulator, "GET", "/version", { token: null, headers })).status).toBe(200);
  });
});

describe("a page of another origin", () => {
  const json = { "Content-Type": "application/json" };
  test.each<[string, Record<string, string>]>([
    ["another origin", { ...json, Origin: "https://attacker.example" }],
    ["an origin that a browser hides", { ...json, Origin: "null" }],
    ["a request of another site", { ...json, "Sec-Fetch-Site": "cross-site" }],
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["a form as text", { "Content-Type": "text/plain" }],
  ])("cannot use the control endpoints: %s", async (_, headers) => {
    for (const path of ["/simulator/control", "/simulator/reset", "/simulator/faults"]) {
      const answer = await call(simulator, "POST", path, { json: { action: "drop_node", node: "pve2" }, headers });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(Object.keys(simulator.sim.world.nodes)).toContain("pve2");
  });

  test("cannot use them by a name that leads to this machine", async () => {
    for (const line of ["POST /simulator/reset", "GET /simulator/log", "GET /simulator/", "GET /simulator/events"]) {
      const connection = await RawConnection.open(simulator);
      connection.send([`${line} HTTP/1.1`, "Host: attacker.example:8006", "Content-Type: application/json"]);
      expect(await connection.answer()).toMatch(/^HTTP\/1\.1 403 /);
      connection.close();
    }
  });

  test("does not keep the simulator's own page and programs from them", async () => {
    const { origin, port } = new URL(simulator.url);
    const own = { ...json, Origin: origin, "Sec-Fetch-Site": "same-origin" };
    expect((await call(simulator, "POST", "/simulator/reset", { headers: own })).status).toBe(200);
    for (const Host of [`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`])
      expect((await call(simulator, "GET", "/simulator/log", { headers: { Host } })).status).toBe(200);
  });
});

/** Members that every object inherits are not objects of the cluster. */
test.each(["constructor", "toString"])("nothing is named %s until it is created", async (name) => {
  const others = "z".repeat(name.length);
  const known: Record<string, string> = { node: "pve1", vmid: "9000", storage: "local" };
  const ask = async (path: string, place: string, named: string) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => (key === place ? named : (known[key] ?? named)));
    const headers = { Authorization: `PVEAPIToken=${simulator.tokens["root@pam!admin"]}` };
    const answer = await simulator.fetch(new Request(`https://pve/api2/json${filled}`, { headers }));
    return `${answer.status} ${answer.statusText} ${await answer.text()}`.replaceAll(named, "NAME");
  };
  for (const { path } of endpoints.filter(({ method }) => method === "GET"))
    for (const [, place = ""] of path.matchAll(/\{(\w+)\}/g))
      expect(await ask(path, place, name), `${path}: ${place}`).toBe(await ask(path, place, others));
});

test("the log counts calls by endpoint with their statuses, until it is cleared", async () => {
  await call(simulator, "DELETE", "/simulator/log");
  await call(simulator, "GET", "/access/users/root@pam");
  await call(simulator, "GET", "/access/users/ghost@pve");
  const { data } = (await call(simulator, "GET", "/simulator/log")).body;
  expect(data).toMatchObject({
    total: 2,
    calls: [
      { endpoint: "GET /access/users/{userid}", count: 2, statuses: { 200: 1, 500: 1 }, seconds: expect.any(Number) },
    ],
  });
});

test("what is not there says what is", async () => {
  const answer = await call(simulator, "GET", "/simulator/nothing");
  expect(answer.status).toBe(404);
  expect(answer.body["known"]).toContain("POST /simulator/reset");
});
