import { afterEach, describe, expect, it, vi } from "vitest";
import { startLocalClient } from "../local-client.ts";
import { type Handler, json, type Received, refusal } from "../local-server.ts";

afterEach(() => {
  vi.useRealTimers();
});

const user = { username: "root@pam", password: "correct horse" };
const unauthorised = { status: 401, reason: "Authentication failed!", headers: { connection: "close" } };
const version = json({ version: "9.2.11", release: "9.2" });

const form = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body));
const ticketOf = ({ headers }: Received) =>
  decodeURIComponent(/PVEAuthCookie=(\S+)/.exec(headers.cookie ?? "")?.[1] ?? "");

/** A login endpoint: numbered tickets, of which only the newest is valid. */
function desk(login: (given: Record<string, string>) => object | undefined = () => ({})) {
  let issued = 0;
  const state = { valid: true, logins: [] as Record<string, string>[] };
  const handler: Handler = (request) => {
    if (request.url === "/api2/json/access/ticket") {
      const given = form(request);
      state.logins.push(given);
      const more = login(given);
      if (more === undefined) {
        return refusal(401, "authentication failure");
      }
      issued += 1;
      state.valid = true;
      return json({
        username: given["username"],
        ticket: `PVE:root@pam:0000000${issued}::c2ln+/=`,
        CSRFPreventionToken: `csrf-${issued}`,
        ...more,
      });
    }
    return state.valid && ticketOf(request).endsWith(`:0000000${issued}::c2ln+/=`) ? version : unauthorised;
  };
  return { handler, state };
}

describe("a user with a password", () => {
  it("logs in once, when it is needed, however many requests wait for it", async () => {
    const { handler, state } = desk();
    await using local = await startLocalClient(handler, user);
    expect(state.logins).toEqual([]);
    await Promise.all([1, 2, 3].map(() => local.client.cluster.getVersion()));
    expect(state.logins).toEqual([user]);
  });

  it("sends the ticket as a cookie, and the CSRF token with writes only", async () => {
    const { handler } = desk();
    await using local = await startLocalClient(handler, user);
    await local.client.cluster.getVersion();
    await local.client.pools.create("p").catch(() => {});
    const [, read, write] = local.server.requests;
    expect(read?.headers).toMatchObject({ cookie: "PVEAuthCookie=PVE%3Aroot%40pam%3A00000001%3A%3Ac2ln%2B%2F%3D" });
    expect(read?.headers).not.toHaveProperty("csrfpreventiontoken");
    expect(write?.headers).toMatchObject({ csrfpreventiontoken: "csrf-1" });
    expect(local.secrets).toEqual(["correct horse", "PVE:root@pam:00000001::c2ln+/=", "csrf-1"]);
  });

  it("logs in again when its ticket is refused, once for all refused requests", async () => {
    const { handler, state } = desk();
    await using local = await startLocalClient(handler, user);
    await local.client.cluster.getVersion();
    state.valid = false;
    await Promise.all([1, 2, 3].map(() => local.client.cluster.getVersion()));
    expect(state.logins).toHaveLength(2);
  });

  it("sends a refused write again: nothing was done", async () => {
    const { handler, state } = desk();
    await using local = await startLocalClient(handler, user);
    await local.client.cluster.getVersion();
    state.valid = false;
    await local.client.pools.create("p");
    expect(local.server.requests.filter(({ url }) => url.endsWith("/pools"))).toHaveLength(2);
  });

  it("gives up when the second ticket is refused too", async () => {
    const { handler } = desk();
    await using local = await startLocalClient(
      (request, response) => (request.url.endsWith("/ticket") ? handler(request, response) : unauthorised),
      user,
    );
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "auth",
      message: "Authentication failed!",
      details: { path: "/version" },
    });
    expect(local.server.requests).toHaveLength(4);
  });

  it("renews the ticket with itself before it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { handler, state } = desk();
    await using local = await startLocalClient(handler, user);
    await local.client.cluster.getVersion();
    vi.setSystemTime(Date.now() + 89 * 60_000);
    await local.client.cluster.getVersion();
    expect(state.logins).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await local.client.cluster.getVersion();
    expect(state.logins[1]).toEqual({ username: "root@pam", password: "PVE:root@pam:00000001::c2ln+/=" });
  });

  it("logs in with the password when the old ticket is refused", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { handler, state } = desk(({ password }) => (password === user.password ? {} : undefined));
    await using local = await startLocalClient(handler, user);
    await local.client.cluster.getVersion();
    vi.setSystemTime(Date.now() + 100 * 60_000);
    await local.client.cluster.getVersion();
    expect(state.logins.map(({ password }) => password === user.password)).toEqual([true, false, true]);
  });

  it("gets a message that the password is wrong", async () => {
    const { handler } = desk(() => undefined);
    await using local = await startLocalClient(handler, user);
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "auth",
      message: "authentication failure",
      details: { path: "/access/ticket" },
    });
  });
});

describe("a second factor", () => {
  const challenged = ({ password = "" }: Record<string, string>) =>
    password.startsWith("totp:") ? {} : { NeedTFA: 1, ticket: "PVE:!tfa!%7B%22totp%22%3Atrue%7D:00000000::c2ln" };

  it("is generated from the secret and sent with the challenge", async () => {
    const { handler, state } = desk(challenged);
    await using local = await startLocalClient(handler, { ...user, totpSecret: "GEZDGNBVGY3TQOJQ" });
    await local.client.cluster.getVersion();
    expect(state.logins[1]).toEqual({
      username: "root@pam",
      "tfa-challenge": "PVE:!tfa!%7B%22totp%22%3Atrue%7D:00000000::c2ln",
      password: expect.stringMatching(/^totp:\d{6}$/),
    });
  });

  it("may be given as one code", async () => {
    const { handler, state } = desk(challenged);
    await using local = await startLocalClient(handler, { ...user, otp: "123456" });
    await local.client.cluster.getVersion();
    expect(state.logins[1]).toMatchObject({ password: "totp:123456" });
    state.valid = false;
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "auth",
      message: expect.stringContaining("used up"),
    });
  });

  it("that is missing is named in the message", async () => {
    const { handler } = desk(challenged);
    await using local = await startLocalClient(handler, user);
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({
      kind: "auth",
      message: "root@pam requires a second factor: give its TOTP secret, or use an API token",
    });
  });
});

describe("a ticket from elsewhere", () => {
  const given = { authTicket: "PVE:root@pam:00000000::c2ln", csrfToken: "csrf-0" };

  it("is used as it is", async () => {
    await using local = await startLocalClient(() => version, given);
    await local.client.cluster.getVersion();
    expect(local.server.requests.map(ticketOf)).toEqual(["PVE:root@pam:00000000::c2ln"]);
    expect(local.client.identity).toBe("root@pam");
  });

  it("cannot be replaced when it is refused", async () => {
    await using local = await startLocalClient(() => unauthorised, given);
    await expect(local.client.cluster.getVersion()).rejects.toMatchObject({ kind: "auth" });
    expect(local.server.requests).toHaveLength(1);
  });
});
