import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Input, unknown } from "../../harness/index.ts";
import { openEphemeral } from "../ephemeral.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

const secret = "JBSWY3DPEHPK3PXP";
const user = "noacl@pve";
const phone = { user, totp: { description: "phone", secret } };
const add = "POST /access/tfa/{userid}";

let bench: ResourceBench;
let folder: string;

beforeAll(async () => {
  bench = await ResourceBench.open({ as: "root@pam", env: { PROXMOX_LOG_LEVEL: "debug" } });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tfa-"));
});
afterEach(async () => {
  bench.simulator.faults.clear();
  const { users } = bench.simulator.sim.world.access;
  for (const one of Object.values(users)) one.tfa = [];
  rmSync(folder, { recursive: true });
  await bench.configure();
});
afterAll(() => bench.close());

const tfa = () => bench.resource("proxmox_tfa");
const factors = (name = user) => bench.simulator.sim.world.access.users[name]?.tfa ?? [];
const keysFile = () => join(folder, "keys.txt");
const recovery = () => ({ user, recovery: { keys_file: keysFile() } });
const ticketOf = (config: Input) => openEphemeral(bench.provider, "proxmox_ticket", config);

describe("codes of an authenticator app", () => {
  test("are added with the current code, changed in place, and removed; the secret is stored nowhere", async () => {
    let now = await tfa().create(phone);
    expect(factors()).toMatchObject([{ type: "totp", secret, description: "phone", enable: true }]);
    expect(attribute(now, "id")).toBe(factors()[0]?.id);
    now = await tfa().update(now, { user, totp: { description: "tablet", secret, enabled: false } });
    expect(factors()).toMatchObject([{ description: "tablet", enable: false }]);
    const imported = await tfa().import({ id: `${user}/${factors()[0]?.id}` });
    await tfa().expectSettled(imported, { user, totp: { description: "tablet", enabled: false } });
    now = await tfa().update(now, { user, totp: { description: "tablet", secret } });
    expect(factors()).toMatchObject([{ enable: true }]);
    expect(JSON.stringify(now)).not.toContain(secret);
    expect(bench.provider.stderr()).not.toContain(secret);
    await tfa().destroy(now);
    expect(factors()).toEqual([]);
    await tfa().destroy(now);
  });

  test("let the user log in", async () => {
    await tfa().create({ user, totp: { description: "phone", secret: `otpauth://totp/x?secret=${secret}&period=60` } });
    const password = bench.simulator.sim.world.access.users[user]?.password ?? "";
    const login = { username: user, password };
    await expect(ticketOf(login)).rejects.toThrow("second factor");
    const { value } = await ticketOf({ ...login, totp_secret: `otpauth://totp/x?secret=${secret}&period=60` });
    expect(String(value["ticket"])).toMatch(/^PVE:noacl@pve:/);
  });

  test("of another secret are another entry", async () => {
    const now = await tfa().create(phone);
    const next = { user, totp: { description: "phone", secret: "KRSXG5CTMVRXEZLU", secret_version: 2 } };
    const plan = await tfa().plan(now, next);
    expect(plan.action).toBe("replace");
    await tfa().apply(plan);
    expect(factors()).toMatchObject([{ secret: "KRSXG5CTMVRXEZLU" }]);
  });

  test("need a secret when they are added, and a secret that can be one", async () => {
    await expect(tfa().plan(null, { user, totp: { description: "x" } })).rejects.toThrow("Secret needed");
    await expect(tfa().validate({ user, totp: { description: "x", secret: "hello" } })).rejects.toThrow("base32");
    await expect(tfa().validate({ user })).rejects.toThrow("and none is");
    await expect(tfa().validate({ ...recovery(), ...phone })).rejects.toThrow("and both are");
    expect((await tfa().plan(null, { user: unknown, totp: { description: "x", secret: unknown } })).action).toBe(
      "create",
    );
  });

  test("are found when the answer is lost, and not when the call was", async () => {
    bench.simulator.faults.order({ do: "answer", call: add, status: 596, after: 1 });
    const now = await tfa().create(phone);
    expect(attribute(now, "id")).toBe(factors()[0]?.id);
    bench.simulator.faults.order({ do: "answer", call: add, status: 596 });
    await expect(tfa().create({ user, totp: { description: "second", secret } })).rejects.toThrow("answer was lost");
    expect(factors()).toHaveLength(1);
  });

  test("were removed by another client: the next plan adds them again", async () => {
    const now = await tfa().create(phone);
    bench.simulator.sim.world.access.users[user]?.tfa.splice(0);
    await bench.configure();
    expect(await tfa().find(now)).toBeNull();
  });
});

describe("recovery keys", () => {
  test("are written to a file for one user's eyes, and to nothing else", async () => {
    const now = await tfa().create(recovery());
    const keys = readFileSync(keysFile(), "utf8").trim().split("\n");
    expect(keys).toEqual(factors()[0]?.codes);
    expect(statSync(keysFile()).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(now)).not.toContain(keys[0]);
    expect(bench.provider.stderr()).not.toContain(keys[0]);
    await bench.configure();
    await expect(tfa().plan(null, recovery())).rejects.toThrow(`id = "${user}/recovery"`);
    await tfa().destroy(now);
    expect(factors()).toEqual([]);
  });

  test("are not made where no file can hold them", async () => {
    await expect(tfa().create({ user, recovery: {} })).rejects.toThrow("No file for the keys");
    writeFileSync(keysFile(), "older keys");
    await expect(tfa().create(recovery())).rejects.toThrow("It may hold keys that are in use");
    const nowhere = { user, recovery: { keys_file: join(folder, "none/keys.txt") } };
    await expect(tfa().create(nowhere)).rejects.toThrow("Nothing was changed");
    expect(factors()).toEqual([]);
    expect(readFileSync(keysFile(), "utf8")).toBe("older keys");
  });

  test("whose answer was lost are removed again", async () => {
    bench.simulator.faults.order({ do: "answer", call: add, status: 596, after: 1 });
    await expect(tfa().create(recovery())).rejects.toThrow("Keys are lost");
    expect(factors()).toEqual([]);
    await tfa().create(recovery());
  });
});

describe("the caller", () => {
  test("is refused in the plan where it is a token", async () => {
    await bench.configure("root@pam!admin");
    await expect(tfa().plan(null, phone)).rejects.toThrow(/Login needed: .*the token root@pam!admin/);
    await expect(ticketOf({})).rejects.toThrow("Login needed");
  });

  test("may be a token beside which root@pam has a password", async () => {
    await bench.configure("root@pam!admin", { username: "root@pam", password: "proxmox" });
    await tfa().destroy(await tfa().create(phone));
  });

  test("may be the user itself, who repeats the password, and is warned of the next login", async () => {
    const { access } = bench.simulator.sim.world;
    const password = access.users[user]?.password ?? "";
    access.acl.push({ path: "/storage", roleid: "PVEDatastoreUser", propagate: true, type: "user", ugid: user });
    await bench.configure("root@pam", { username: user, password });
    const plan = await tfa().plan(null, phone);
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("From the next login on");
    await tfa().destroy(await tfa().apply(plan));
    await expect(tfa().plan(null, { ...phone, user: "root@pam" })).rejects.toThrow("only root@pam itself");
    await expect(tfa().plan(null, { ...phone, user: "terraform@pve" })).rejects.toThrow("User.Modify");
  });

  test("names a user that does not exist", async () => {
    await expect(tfa().plan(null, { ...phone, user: "ghost@pve" })).rejects.toThrow("No such user");
  });
});

describe("an ephemeral ticket", () => {
  test("is that of the provider's own user, and a login of another", async () => {
    const { value } = await ticketOf({});
    expect(value).toMatchObject({ username: "root@pam" });
    const minutes = (Date.parse(String(value["expire"])) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(118);
    const { users } = bench.simulator.sim.world.access;
    const other = await ticketOf({ username: user, password: users[user]?.password ?? "" });
    expect(other.value).toMatchObject({ username: user });
    expect(bench.provider.stderr()).not.toContain(String(other.value["ticket"]));
    await expect(ticketOf({ username: user, password: "wrong-password" })).rejects.toThrow("authentication failure");
    await expect(ticketOf({ username: user })).rejects.toThrow("Login needed");
  });
});
