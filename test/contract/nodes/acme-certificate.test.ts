import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(async () => {
  const { acme, nodes } = bench.simulator.sim.world;
  const directory = "https://acme-v02.api.letsencrypt.org/directory";
  const account = { contact: ["mailto:ops@example.com"], directory, location: "https://example.com/acct/1" };
  acme.accounts = { default: { ...account, createdAt: "2026-01-01T00:00:00Z" } };
  acme.accounts["lab"] = { ...acme.accounts["default"] } as (typeof acme.accounts)[string];
  acme.plugins["cloudflare"] = { type: "dns", options: { api: "cf" } };
  for (const host of Object.values(nodes)) {
    delete host.certificate;
    host.config = { description: "rack 7" };
  }
  bench.simulator.faults.clear();
  await bench.configure();
});
afterAll(() => bench.close());

const certificates = () => bench.resource("proxmox_acme_certificate");
const host = () => bench.simulator.sim.world.nodes["pve1"];
const plain = { node: "pve1", domains: { "pve1.example.com": {} } };
const wildcard = {
  node: "pve1",
  account: "lab",
  domains: { "pve1.example.com": {}, "*.lab.example.com": { plugin: "cloudflare", alias: "acme.example.com" } },
};

test("a certificate is ordered, ordered anew for other domains, imported and removed; other options of the node stay", async () => {
  let now = await certificates().create(plain);
  expect(attribute(now, "subject_alternative_names")).toEqual(["pve1.example.com"]);
  expect(host()?.config).toMatchObject({ acme: "account=default,domains=pve1.example.com", description: "rack 7" });
  now = await certificates().update(now, wildcard);
  expect(attribute(now, "subject_alternative_names")).toEqual(["pve1.example.com", "*.lab.example.com"]);
  expect(host()?.config).toMatchObject({
    acme: "account=lab,domains=pve1.example.com",
    acmedomain0: "domain=*.lab.example.com,alias=acme.example.com,plugin=cloudflare",
  });
  const imported = await certificates().import({ id: "pve1" });
  await certificates().expectSettled(imported, wildcard);
  await certificates().destroy(now);
  expect(host()?.certificate).toBeUndefined();
  expect(host()?.config).toEqual({ description: "rack 7" });
  expect(tasks()).not.toContain("acmerevoke");
});

test("it is renewed when it ends within `renew_days`, and only then", async () => {
  const now = await certificates().create({ ...plain, renew_days: 1 });
  await bench.configure();
  expect((await certificates().plan(now, { ...plain, renew_days: 1 })).action).toBe("no-op");
  const before = host()?.certificate?.chain;
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const past = new Date(Date.now() - 87 * 86_400_000).toISOString();
  const old = { ...now, state: { ...now.state, not_before: past, not_after: soon } };
  expect((await certificates().plan(old, { ...plain, renew_days: 1 })).action).toBe("no-op");
  const plan = await certificates().plan(old, { ...plain, renew_days: 7 });
  expect(plan.action).toBe("update");
  await certificates().apply(plan);
  expect(host()?.certificate?.chain).not.toBe(before);
});

test("a renewal that would never end is refused, with the lifetime of the certificate", async () => {
  const now = await certificates().create({ ...plain, renew_days: 30 });
  await bench.configure();
  expect((await certificates().plan(now, { ...plain, renew_days: 89 })).action).toBe("update");
  await expect(certificates().plan(now, { ...plain, renew_days: 90 })).rejects.toThrow(
    /renewed by every plan[\s\S]*for 91 days[\s\S]*such as 30/,
  );
});

test("it is revoked when it is destroyed, if that is asked for", async () => {
  await certificates().destroy(await certificates().create({ ...plain, revoke_on_destroy: true }));
  expect(tasks()).toContain("acmerevoke");
});

test("an order that fails leaves an object that the next apply replaces", async () => {
  const plan = await certificates().plan(null, plain);
  const call = "POST /nodes/{node}/certificates/acme/certificate";
  bench.simulator.faults.order({ do: "answer", call, status: 500, reason: "the authority is closed" });
  await expect(certificates().apply(plan)).rejects.toThrow("the authority is closed");
  expect(host()?.config?.["acme"]).toBe("account=default,domains=pve1.example.com");
});

test.each([
  ["no such account", { ...plain, account: "other" }, /ACME account `other` does not exist/],
  ["no such plugin", { node: "pve1", domains: { "a.example.com": { plugin: "route53" } } }, /ACME plugin `route53`/],
  ["a wildcard over HTTP", { node: "pve1", domains: { "*.example.com": {} } }, /only by a DNS challenge/],
  ["capital letters", { node: "pve1", domains: { "Pve1.Example.com": {} } }, /small letters: `pve1.example.com`/],
  ["not a domain", { node: "pve1", domains: { "a b": {} } }, /is not the name of a domain/],
  ["no domain", { node: "pve1", domains: {} }, /at least 1/],
  [
    "seven domains with a plugin",
    {
      node: "pve1",
      domains: Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`a${n}.example.com`, { plugin: "cloudflare" }])),
    },
    /6 places/,
  ],
])("%s is refused in the plan", async (_, given, message) => {
  await expect(certificates().plan(null, given)).rejects.toThrow(message);
});

test("a certificate of one's own is in the way, and the message says of whom", async () => {
  const now = await certificates().create(plain);
  await bench.configure();
  await expect(certificates().plan(null, plain)).rejects.toThrow('id = "pve1"');
  await certificates().destroy(now);
});

const tasks = () => bench.simulator.sim.world.tasks.map(({ upid }) => upid.split(":")[5]);
