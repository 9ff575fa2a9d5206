import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input, ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(() => bench.configure());
afterAll(() => bench.close());

const realms = (): ManagedResource => bench.resource("proxmox_realm");
const onServer = (id: string) => bench.simulator.sim.world.access.realms[id];

const ldap = { server: "192.0.2.20", base_dn: "dc=example,dc=com", user_attribute: "uid" };
const corp = { id: "corp", ldap };

describe("secrets", () => {
  test("of a directory are sent at creation and with another version, and are in no state", async () => {
    const bound = { ...ldap, bind_dn: "cn=reader", password: "first-secret", password_version: 1 };
    let now = await realms().create({ id: "corp", ldap: bound });
    expect(JSON.stringify(now.state)).not.toContain("first-secret");
    now = await realms().update(now, { id: "corp", comment: "same", ldap: { ...bound, password: "other-secret" } });
    expect(onServer("corp")?.options["password"]).not.toBe("other-secret");
    const changed = { ...bound, password: "other-secret", password_version: 2 };
    const plan = await realms().plan(now, { id: "corp", comment: "same", ldap: changed });
    expect(plan.action).toBe("update");
    now = await realms().apply(plan);
    await realms().destroy(now);
  });

  test("of a second factor stay when another setting of it changes", async () => {
    const tfa = { type: "yubico", id: "client", key: "key-secret" };
    let now = await realms().create({ ...corp, tfa });
    expect(JSON.stringify(now.state)).not.toContain("key-secret");
    now = await realms().update(now, { ...corp, tfa: { ...tfa, url: "https://yubi.example.com" } });
    expect(onServer("corp")?.options["tfa"]).toMatch(/key=key-secret/);
    expect(onServer("corp")?.options["tfa"]).toMatch(/url=https:\/\/yubi\.example\.com/);
    await realms().destroy(now);
  });

  test("of an OpenID provider, which Proxmox VE shows, are in no state", async () => {
    const openid = { issuer_url: "https://id.example.com", client_id: "pve", client_key: "client-secret" };
    const now = await realms().create({ id: "sso", openid });
    expect(onServer("sso")?.options["client-key"]).toBe("client-secret");
    expect(JSON.stringify((await realms().import({ id: "sso" })).state)).not.toContain("client-secret");
    await realms().destroy(now);
  });
});

describe("the realms that come with Proxmox VE", () => {
  test.each(["pam", "pve"])("%s is imported, changed and reset", async (id) => {
    const first = structuredClone(onServer(id));
    await expect(realms().plan(null, { id, [id]: {} })).rejects.toThrow(`id = "${id}"`);
    await bench.configure();
    const imported = await realms().import({ id });
    const config = { id, comment: "ours", tfa: { type: "oath" }, [id]: {} };
    const now = await realms().update(imported, config);
    expect(onServer(id)?.options).toMatchObject({ comment: "ours", tfa: "type=oath" });
    await realms().destroy(now);
    expect(onServer(id)).toEqual(first);
  });

  const refused: readonly (readonly [string, Input, string])[] = [
    ["the name of another type", { id: "pam", ldap }, "is the built-in realm of that type"],
    ["another name", { id: "corp", pam: {} }, 'it has that name: write `id = "pam"`'],
  ];
  test.each(refused)("are not made with %s", async (_, config, message) => {
    await expect(realms().plan(null, config)).rejects.toThrow(message);
  });
});

describe("is refused in the plan:", () => {
  const openid = { issuer_url: "https://id.example.com", client_id: "pve" };
  const rows: readonly (readonly [string, Input, string])[] = [
    ["a name of one letter", { ...corp, id: "x" }, "two characters at least"],
    ["a name with a blank", { ...corp, id: "a b" }, "Must be a letter and then"],
    ["a long name", { ...corp, id: "a".repeat(33) }, "at most 32 characters"],
    ["a comment of two lines", { ...corp, comment: "a\nb" }, "one line"],
    ["a server with a blank", { id: "corp", ldap: { ...ldap, server: "a b" } }, "a host name or an IP address"],
    ["a second factor for OpenID", { id: "sso", openid, tfa: { type: "oath" } }, "does not take `tfa`"],
    ["a check of OpenID", { id: "sso", openid, check_connection: true }, "leave `check_connection` out"],
    ["YubiKeys without a key", { ...corp, tfa: { type: "yubico", id: "c" } }, "needs `key`"],
    ["codes with a key", { ...corp, tfa: { type: "oath", id: "c" } }, "does not take `id`"],
    ["codes of 9 digits", { ...corp, tfa: { type: "oath", digits: 9 } }, "at most 8"],
    [
      "settings of a second factor that do not fit",
      { ...corp, tfa: { type: "yubico", id: "c", key: "k", url: `https://${"a".repeat(120)}` } },
      "at most 128 characters",
    ],
    ["a password without an account", { id: "corp", ldap: { ...ldap, password: "p" } }, "which is not given"],
    ["a class with a blank", { id: "corp", ldap: { ...ldap, user_classes: ["a b"] } }, "of letters and digits"],
    ["an audience with a comma", { id: "sso", openid: { ...openid, audiences: ["a,b"] } }, "a text without blanks"],
  ];
  test.each(rows)("%s", async (_, config, message) => {
    await expect(realms().plan(null, config)).rejects.toThrow(message);
  });

  test("a second realm that is to be the default", async () => {
    await realms().plan(null, { ...corp, default: true });
    await expect(realms().plan(null, { ...corp, id: "other", default: true })).rejects.toThrow(
      "Realm `corp` of this configuration has `default = true`",
    );
  });
});

test("the default moves from realm to realm", async () => {
  const one = await realms().create({ ...corp, default: true });
  await bench.configure();
  const other = await realms().create({ ...corp, id: "other", default: true });
  await bench.configure();
  expect(attribute(await realms().refresh(one), "default")).toBe(false);
  await realms().destroy(one);
  await realms().destroy(other);
});

test("the old form of `ldaps` is read, and written in the new one", async () => {
  const now = await realms().create(corp);
  const server = onServer("corp");
  if (server === undefined) throw new Error("the realm is missing");
  server.options["secure"] = "1";
  const read = await realms().refresh(now);
  expect(attribute(read, "ldap", "mode")).toBe("ldaps");
  const after = await realms().update(read, { id: "corp", ldap: { ...ldap, mode: "ldap" } });
  expect(onServer("corp")?.options).toMatchObject({ mode: "ldap" });
  expect(onServer("corp")?.options["secure"]).toBeUndefined();
  await realms().destroy(after);
});

test("`check_connection` tries the server before anything is kept", async () => {
  const closed = { ...corp, ldap: { ...ldap, server: "127.0.0.1", port: 9 } };
  await expect(realms().create({ ...closed, check_connection: true })).rejects.toThrow("Connection refused");
  expect(onServer("corp")).toBeUndefined();
  const now = await realms().create(closed);
  await expect(realms().update(now, { ...closed, check_connection: true, comment: "tried" })).rejects.toThrow(
    "Connection refused",
  );
  expect(onServer("corp")?.options["comment"]).toBeUndefined();
  await realms().destroy(now);
});

test("a plan that removes a realm names the users that stay", async () => {
  const now = await realms().create(corp);
  bench.simulator.sim.world.access.users["ann@corp"] = { enable: true, groups: [], tokens: {}, tfa: [] };
  const { warnings } = await realms().planDestroy(now);
  expect(warnings.map(({ detail }) => detail).join()).toContain("`ann@corp` stay in Proxmox VE");
  await realms().destroy(now);
});
