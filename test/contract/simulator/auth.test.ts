import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { totpCode } from "../../../src/simulator/access/totp.ts";
import { defaultSeed } from "../../../src/simulator/seed/default-seed.ts";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { call } from "./client.ts";

const secret = "JBSWY3DPEHPK3PXP";
let simulator: Simulator;

beforeAll(async () => {
  const seed = defaultSeed() as { users: object[] };
  const careful = { userid: "careful@pve", password: "password", totp: secret };
  simulator = await startSimulator({ seed: { ...seed, users: [...seed.users, careful] }, speed: 100, tidy: true });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

interface Ticket {
  ticket: string;
  CSRFPreventionToken: string;
  username: string;
  NeedTFA?: number;
  cap?: Record<string, Record<string, number>>;
}

const login = (form: Record<string, string>) => call(simulator, "POST", "/access/ticket", { token: null, form });
const ticketOf = async (username: string, password: string) =>
  (await login({ username, password })).body.data as Ticket;
const cookie = ({ ticket }: Ticket) => ({ Cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}` });

describe("API tokens", () => {
  test.each<[string, Record<string, string>, number, string]>([
    ["with an equals sign", { Authorization: "PVEAPIToken=root@pam!admin=%S" }, 200, "OK"],
    ["with a blank", { Authorization: "PVEAPIToken root@pam!admin=%S" }, 200, "OK"],
    ["percent-encoded", { Authorization: "PVEAPIToken=root%40pam%21admin=%S" }, 200, "OK"],
    ["with a wrong secret", { Authorization: "PVEAPIToken=root@pam!admin=x" }, 401, "Authentication failed!"],
    ["of another name", { Authorization: "PVEAPIToken=root@pam!none=%S" }, 401, "Authentication failed!"],
    ["of an unknown user", { Authorization: "PVEAPIToken=ghost@pve!tf=%S" }, 401, "Authentication failed!"],
    ["that are none", { Authorization: "PVEAPIToken=garbage" }, 401, "Authentication failed!"],
    [
      "beside a bad cookie, which wins",
      { Authorization: "PVEAPIToken=root@pam!admin=%S", Cookie: "PVEAuthCookie=x" },
      401,
      "Authentication failed!",
    ],
    ["not at all", {}, 401, "No ticket"],
  ])("%s", async (_, headers, status, reason) => {
    const value = simulator.tokens["root@pam!admin"]?.split("=")[1] ?? "";
    const filled = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, text.replace("%S", value)]));
    const answer = await call(simulator, "GET", "/version", { token: null, headers: filled });
    expect([answer.status, answer.reason, answer.text === ""]).toEqual([status, reason, status === 401]);
  });

  test.each([
    ["the user is disabled", "PUT", "/access/users/terraform@pve", { enable: 0 }],
    ["the user has expired", "PUT", "/access/users/terraform@pve", { expire: 1 }],
    ["the token has expired", "PUT", "/access/users/terraform@pve/token/tf", { expire: 1 }],
    ["the token is gone", "DELETE", "/access/users/terraform@pve/token/tf", undefined],
  ])("are refused alike when %s", async (_, method, path, form) => {
    expect((await call(simulator, "GET", "/version", { token: "terraform@pve!tf" })).status).toBe(200);
    expect((await call(simulator, method, path, form === undefined ? {} : { form })).status).toBe(200);
    const answer = await call(simulator, "GET", "/version", { token: "terraform@pve!tf" });
    expect([answer.status, answer.reason]).toEqual([401, "Authentication failed!"]);
  });

  test("cannot get tickets, not even root's", async () => {
    const answer = await call(simulator, "POST", "/access/ticket", {
      form: { username: "root@pam", password: "proxmox" },
    });
    expect(answer.reason).toBe(
      "Permission check failed (URI '/access/ticket' not available with API token, need proper ticket.",
    );
  });

  test("of root@pam are not root@pam where only root may", async () => {
    const root = await ticketOf("root@pam", "proxmox");
    const form = { userid: "root@pam", password: "new-password" };
    const headers = { ...cookie(root), CSRFPreventionToken: root.CSRFPreventionToken };
    expect((await call(simulator, "PUT", "/access/password", { token: null, form, headers })).status).toBe(200);
    expect((await call(simulator, "PUT", "/access/password", { form })).status).toBe(403);
  });
});

describe("tickets", () => {
  test("look like PVE's and tell what their user may do", async () => {
    const data = await ticketOf("root@pam", "proxmox");
    expect(data.ticket).toMatch(/^PVE:root@pam:[0-9A-F]{8}::[A-Za-z0-9+/]{342}==$/);
    expect(data.CSRFPreventionToken).toMatch(/^[0-9A-F]{8}:[A-Za-z0-9+/]{43}$/);
    expect(data.cap?.["vms"]).toMatchObject({ "VM.Allocate": 1 });
    expect(Object.keys(data.cap ?? {}).sort()).toEqual(["access", "dc", "mapping", "nodes", "sdn", "storage", "vms"]);
  });

  test("read without a CSRF token, but write only with their own", async () => {
    const root = await ticketOf("root@pam", "proxmox");
    const other = await ticketOf("terraform@pve", "terraform");
    const form = { groupid: "g1" };
    const write = async (csrf?: string) =>
      await call(simulator, "POST", "/access/groups", {
        token: null,
        form,
        headers: { ...cookie(root), ...(csrf === undefined ? {} : { CSRFPreventionToken: csrf }) },
      });
    expect((await call(simulator, "GET", "/version", { token: null, headers: cookie(root) })).status).toBe(200);
    for (const csrf of [undefined, "nonsense", other.CSRFPreventionToken]) {
      expect((await write(csrf)).reason).toBe("Permission denied - invalid csrf token");
    }
    expect((await write(root.CSRFPreventionToken)).status).toBe(200);
  });

  test("can be used as the password for a new one, and root's for that of any user", async () => {
    const user = await ticketOf("terraform@pve", "terraform");
    const root = await ticketOf("root@pam", "proxmox");
    expect((await login({ username: "terraform@pve", password: user.ticket })).status).toBe(200);
    expect((await login({ username: "terraform@pve", password: root.ticket })).status).toBe(200);
    expect((await login({ username: "root@pam", password: user.ticket })).status).toBe(401);
  });

  test("stop working when they expire", async () => {
    const root = await ticketOf("root@pam", "proxmox");
    simulator.faults.order({ do: "expire_tickets" });
    expect((await call(simulator, "GET", "/version", { token: null, headers: cookie(root) })).reason).toBe(
      "Authentication failed!",
    );
    expect((await login({ username: "root@pam", password: "proxmox" })).status).toBe(200);
  });

  test.each([
    ["a wrong password", { username: "root@pam", password: "wrong" }],
    ["an unknown user", { username: "ghost@pve", password: "password" }],
    ["an unknown realm", { username: "root@nowhere", password: "proxmox" }],
    ["a realm beside the name", { username: "root", realm: "pve", password: "proxmox" }],
    ["missing privileges", { username: "noacl@pve", password: "password", path: "/vms", privs: "VM.Audit" }],
  ])("are refused for %s with the same words", async (_, form) => {
    expect(await login(form)).toMatchObject({
      status: 401,
      reason: "authentication failure",
      body: { data: null, message: "authentication failure\n" },
    });
  });

  test("are not needed to verify credentials and privileges", async () => {
    const form = { username: "terraform", realm: "pve", password: "terraform", path: "/vms", privs: "VM.Clone" };
    expect((await login(form)).body.data).toMatchObject({ username: "terraform@pve" });
  });
});

describe("second factors", () => {
  test("are asked for by a ticket that opens nothing yet", async () => {
    const first = await ticketOf("careful@pve", "password");
    expect(first.NeedTFA).toBe(1);
    expect(first.ticket).toMatch(/^PVE:!tfa!\{"totp"%3Atrue\}:/);
    expect((await call(simulator, "GET", "/version", { token: null, headers: cookie(first) })).reason).toBe(
      "Authentication failed!",
    );
    const code = totpCode(secret, Date.now() / 1000);
    const second = await login({ username: "careful@pve", "tfa-challenge": first.ticket, password: `totp:${code}` });
    const data = second.body.data as Ticket;
    expect(data.NeedTFA).toBeUndefined();
    expect((await call(simulator, "GET", "/version", { token: null, headers: cookie(data) })).status).toBe(200);
  });

  test.each([
    ["a wrong code", { password: "totp:000000x" }],
    ["a code without its kind", { password: "123456" }],
    ["another user's challenge", { username: "terraform@pve", password: "totp:1" }],
  ])("are not satisfied by %s", async (_, form) => {
    const first = await ticketOf("careful@pve", "password");
    expect((await login({ username: "careful@pve", "tfa-challenge": first.ticket, ...form })).status).toBe(401);
  });

  test("can come with the password", async () => {
    const otp = `totp:${totpCode(secret, Date.now() / 1000)}`;
    const answer = await login({ username: "careful@pve", password: "password", otp });
    expect(answer.body.data).not.toHaveProperty("NeedTFA");
  });
});

test("a refusal takes three seconds, divided by the speed", async () => {
  const slow = await startSimulator({ speed: 10 });
  const started = performance.now();
  await call(slow, "GET", "/version", { token: null });
  expect(performance.now() - started).toBeGreaterThanOrEqual(290);
  await slow.close();
});
