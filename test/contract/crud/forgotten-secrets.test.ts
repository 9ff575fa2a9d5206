import { afterAll, beforeAll, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import type { ResourceBench } from "../resource-bench.ts";
import { openRowsBench } from "./bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await openRowsBench({ as: "root@pam" });
});
afterAll(() => bench.close());

const secret = "s3cr3t-in-the-world";
const isStored = (): boolean => {
  const world = JSON.stringify(bench.simulator.sim.world);
  return world.includes(secret) || world.includes(Buffer.from(`TOKEN=${secret}`).toString("base64").slice(0, 20));
};

type Given = Record<string, Input>;

const influx = { server: "influxdb.example.com", port: 8086 };
const sso = { issuer_url: "https://id.example.com", client_id: "pve" };
const smtp = { server: "mail.example.com", from_address: "pve@example.com", mailto: ["root"] };
const cases: [string, string, Given, string, Given, Given][] = [
  [
    "a metric server",
    "proxmox_metric_server",
    { id: "influx", ...influx },
    "influxdb",
    {},
    { token: secret, token_version: 1 },
  ],
  ["an OpenID realm", "proxmox_realm", { id: "sso" }, "openid", sso, { client_key: secret, client_key_version: 1 }],
  [
    "an ACME plugin",
    "proxmox_acme_plugin",
    { id: "cf" },
    "dns",
    { api: "cf" },
    { data: { TOKEN: secret }, data_version: 1 },
  ],
  [
    "an SMTP target",
    "proxmox_notification_endpoint",
    { name: "mail" },
    "smtp",
    smtp,
    { password: secret, password_version: 1 },
  ],
];

test.each(cases)(
  "%s forgets a secret that is taken out with its version",
  async (_, type, base, kind, plain, secrets) => {
    const resource = bench.resource(type);
    const made = await resource.create({ ...base, [kind]: { ...plain, ...secrets } });
    expect(isStored()).toBe(true);
    const without = await resource.plan(made, { ...base, [kind]: plain });
    expect(without.warnings).toEqual([]);
    const changed = await resource.update(made, { ...base, [kind]: plain });
    expect(isStored()).toBe(false);
    await resource.destroy(changed);
  },
);

test("a secret without a version stays with a warning that says how it is removed", async () => {
  const server = bench.resource("proxmox_metric_server");
  const base = { id: "unversioned", ...influx };
  const made = await server.create({ ...base, influxdb: { token: secret } });
  const { warnings } = await server.plan(made, { ...base, influxdb: {} });
  expect(warnings[0]?.detail).toContain("To remove `influxdb.token`, change or take out `influxdb.token_version`.");
  expect(isStored()).toBe(true);
  const changed = await server.update(made, { ...base, influxdb: { token_version: 1 } });
  expect(isStored()).toBe(false);
  await server.destroy(changed);
});
