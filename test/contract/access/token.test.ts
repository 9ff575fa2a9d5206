import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ManagedResource } from "../../harness/index.ts";
import { attribute, ResourceBench, writable } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_LOG_LEVEL: "debug" } });
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const token = (): ManagedResource => bench.resource("proxmox_token");
const access = () => bench.simulator.sim.world.access;
const stored = (name: string) => access().users["noacl@pve"]?.tokens[name];
const create = "POST /access/users/{userid}/token/{tokenid}";

describe("a token", () => {
  const config = { user: "noacl@pve", name: "ci" };

  test("is created with its secret, changed in place without a new one, and destroyed", async () => {
    const made = await token().create({ ...config, comment: "c", expire: "2040-01-01T00:00:00Z" });
    const secret = stored("ci")?.secret;
    expect(attribute(made, "value")).toBe(secret);
    expect(attribute(made, "id")).toBe("noacl@pve!ci");
    expect(attribute(made, "privilege_separation")).toBe(true);
    const changed = await token().update(made, { ...config, privilege_separation: false });
    expect(stored("ci")).toEqual({ secret, privsep: false, expire: 0 });
    expect(attribute(changed, "value")).toBe(secret);
    await token().destroy(changed);
    expect(stored("ci")).toBeUndefined();
  });

  test("gets a new secret in place when `rotate` changes, and only then", async () => {
    const made = await token().create({ ...config, rotate: "january" });
    const first = attribute(made, "value");
    const rotated = await token().update(made, { ...config, rotate: "february" });
    const second = attribute(rotated, "value");
    expect(second).not.toBe(first);
    expect(stored("ci")?.secret).toBe(second);
    const plain = await token().update(rotated, config);
    expect(attribute(plain, "value")).toBe(second);
    await token().destroy(plain);
  });

  test("is imported without its secret, which is no change, and can get a new one", async () => {
    const made = await token().create(config);
    const imported = await token().import({ id: "noacl@pve!ci" });
    expect(attribute(imported, "value")).toBeNull();
    await token().expectSettled(imported, writable(token(), imported));
    await token().expectSettled(imported, config);
    expect(attribute(await token().import({ identity: config }), "id")).toBe("noacl@pve!ci");
    const rotated = await token().update(imported, { ...config, rotate: "now" });
    expect(attribute(rotated, "value")).toBe(stored("ci")?.secret);
    await token().destroy(made);
  });

  test("is replaced when its name changes", async () => {
    const made = await token().create(config);
    const plan = await token().plan(made, { ...config, name: "cd" });
    expect(plan).toMatchObject({ action: "replace", replacePaths: ["name"] });
    await token().destroy(await token().apply(plan));
    expect(stored("ci")).toBeUndefined();
  });

  test("that exists is not taken over", async () => {
    await expect(token().plan(null, { ...config, name: "tf" })).rejects.toThrow(
      /Token "noacl@pve!tf" exists already[\s\S]*id = "noacl@pve!tf"/,
    );
  });

  test("has its secret in no log line", async () => {
    const made = await token().create({ ...config, name: "quiet" });
    expect(bench.provider.stderr()).toContain("/token/quiet");
    expect(bench.provider.stderr()).not.toContain(String(attribute(made, "value")));
    await token().destroy(made);
  });
});

describe("a secret whose response is lost", () => {
  test("is replaced by a new one, so that one token exists and its secret is known", async () => {
    bench.simulator.faults.order({ do: "answer", call: create, status: 596, after: 1 });
    const made = await token().create({ user: "noacl@pve", name: "lost" });
    expect(attribute(made, "value")).toBe(stored("lost")?.secret);
    await token().destroy(made);
  });

  test("twice is an error that says what to do, and the next run reports the existing token", async () => {
    bench.simulator.faults.order({ do: "answer", call: create, status: 596, after: 1, times: 2 });
    const config = { user: "noacl@pve", name: "unlucky" };
    await expect(token().create(config)).rejects.toThrow(/The answer was lost/);
    await bench.restart();
    await expect(token().plan(null, config)).rejects.toThrow(/exists already[\s\S]*`rotate` makes another/);
    delete access().users["noacl@pve"]?.tokens["unlucky"];
  });

  test("with a call that did nothing leaves nothing", async () => {
    bench.simulator.faults.order({ do: "answer", call: create, status: 596 });
    const making = token().create({ user: "noacl@pve", name: "never" });
    await expect(making).rejects.toMatchObject({ remains: null });
    expect(stored("never")).toBeUndefined();
  });

  test("during a rotation is replaced by a new one", async () => {
    const config = { user: "noacl@pve", name: "turning" };
    const made = await token().create(config);
    const call = "PUT /access/users/{userid}/token/{tokenid}";
    bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
    const rotated = await token().update(made, { ...config, rotate: "now" });
    expect(attribute(rotated, "value")).toBe(stored("turning")?.secret);
    await token().destroy(rotated);
  });
});

test.each([
  ["an unknown user", { user: "ghost@pve", name: "ci" }, /User `ghost@pve` does not exist/],
  ["a name of one letter", { user: "noacl@pve", name: "c" }, /two or more/],
  ["a name with a !", { user: "noacl@pve", name: "a!b" }, /two or more/],
  ["an invalid time", { user: "noacl@pve", name: "ci", expire: "never" }, /RFC 3339/],
])("%s is refused", async (_, config, message) => {
  await expect(token().plan(null, config)).rejects.toThrow(message);
});

test.each(["noacl@pve", "noacl@pve!", "!ci", "noacl@pve!ci!more"])("the import ID %s is refused", async (id) => {
  await expect(token().import({ id })).rejects.toThrow(/USER@REALM!NAME/);
});

test("a user of the same plan counts as existing", async () => {
  await bench.resource("proxmox_user").plan(null, { id: "coming@pve" });
  await token().plan(null, { user: "coming@pve", name: "ci" });
});

describe("the provider's own token", () => {
  const own = { user: "root@pam", name: "admin" };
  const secretOf = () => access().users["root@pam"]?.tokens["admin"]?.secret;
  const rotation = "PUT /access/users/{userid}/token/{tokenid}";
  const reading = "GET /access/users/{userid}/token/{tokenid}";
  let given: string | undefined;

  beforeAll(() => {
    given = secretOf();
  });

  afterEach(async () => {
    Object.assign(access().users["root@pam"]?.tokens["admin"] ?? {}, { secret: given });
    await bench.restart();
  });

  test("is not destroyed, and rotating it causes a warning", async () => {
    const mine = await token().import({ id: "root@pam!admin" });
    await expect(token().planDestroy(mine)).rejects.toThrow(/The provider's own token/);
    const { warnings } = await token().plan(mine, { ...own, rotate: "now" });
    expect(warnings).toMatchObject([{ summary: "The provider's own token" }]);
  });

  test("is rotated, its new secret stored, and the run continues with it", async () => {
    const mine = await token().import({ id: "root@pam!admin" });
    const plan = await token().plan(mine, { ...own, rotate: "now" });
    const names = ["beside", "between", "after"];
    const planned = (name: string) => token().plan(null, { user: "noacl@pve", name });
    const [beside, between, after] = [await planned("beside"), await planned("between"), await planned("after")];
    const applied = [plan, beside, between].map((one) => token().apply(one));
    const [rotated = mine] = await Promise.all(applied);
    expect(attribute(rotated, "value")).toBe(secretOf());
    expect(attribute(rotated, "value")).not.toBe(given);
    await token().apply(after);
    for (const name of names) {
      expect(stored(name)).toBeDefined();
      delete access().users["noacl@pve"]?.tokens[name];
    }
  });

  test("has its new secret in the state if it cannot be read afterwards", async () => {
    const mine = await token().import({ id: "root@pam!admin" });
    const plan = await token().plan(mine, { ...own, rotate: "now" });
    bench.simulator.faults.order({ do: "answer", call: reading, status: 500, times: 20 });
    const failure = await token()
      .apply(plan)
      .catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ remains: { state: { value: secretOf() } } });
    expect(secretOf()).not.toBe(given);
  });

  test("whose rotation is not answered is an error that says where another secret is made", async () => {
    const mine = await token().import({ id: "root@pam!admin" });
    bench.simulator.faults.order({ do: "answer", call: rotation, status: 596, after: 1 });
    await expect(token().update(mine, { ...own, rotate: "now" })).rejects.toThrow(
      /The new secret is lost[\s\S]*pveum user token modify root@pam admin --regenerate 1/,
    );
  });

  test("is not ended, and not separated from all its rights", async () => {
    const mine = await token().import({ id: "root@pam!admin" });
    await expect(token().plan(mine, { ...own, expire: "2020-01-01T00:00:00Z" })).rejects.toThrow(/lock itself out/);
    await expect(token().plan(mine, { ...own, privilege_separation: true })).rejects.toThrow(
      /nothing is granted to the token itself/,
    );
  });
});

test("the plan requires the privilege to create tokens of other users", async () => {
  await bench.restart("terraform@pve!tf");
  await expect(token().plan(null, { user: "noacl@pve", name: "ci" })).rejects.toThrow(/\/access\/groups: User\.Modify/);
});
