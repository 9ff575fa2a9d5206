import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run as adopt } from "../../../src/cli/adopt/adopt.ts";
import type { CommandContext } from "../../../src/cli/command-context.ts";
import { run as drift } from "../../../src/cli/drift/drift.ts";
import { run as exportCluster } from "../../../src/cli/export/export.ts";
import { withoutSecrets } from "../../../src/cli/export/without-secrets.ts";
import { call } from "../simulator/client.ts";
import { type, variablesFor } from "./person.ts";
import { richSeed, type Seed } from "./rich-seed.ts";

/** Every secret has this in it, plain or as base64. */
const mark = "S3CRET";
const secret = (place: string) => `${mark}-${place}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const shownAs = [mark, base64(mark).slice(0, 7), base64(`x${mark}`).slice(2, 9), base64(`xx${mark}`).slice(3, 10)];

const withPassword = { ciuser: "ops", cipassword: secret("cloud-init") };
const guests = (richSeed["guests"] as { vmid: number; config: object; snapshots?: Record<string, object> }[]).map(
  (guest) =>
    guest.vmid === 100
      ? {
          ...guest,
          config: { ...guest.config, ...withPassword },
          snapshots: { before: { ...guest.snapshots?.["before"], ...withPassword } },
        }
      : guest,
);

const seed: Seed = {
  ...richSeed,
  guests,
  users: [
    ...(richSeed["users"] as object[]),
    { userid: "second@pve", password: secret("user"), totp: "JBSWY3DPEHPK3PXP" },
  ],
  notifications: [
    { name: "chat", type: "gotify", server: "https://chat.example.com", token: secret("gotify") },
    {
      name: "mail",
      type: "smtp",
      server: "mail.example.com",
      "from-address": "pve@example.com",
      mailto: ["ops@example.com"],
      username: "pve",
      password: secret("smtp"),
    },
  ],
  acme: { plugins: [{ id: "cloud", type: "dns", api: "cf", data: base64(`CF_Token=${secret("acme")}`) }] },
  backups: [
    {
      volid: "local:backup/vzdump-qemu-100-2026_01_02-03_04_05.vma.zst",
      size: "1G",
      config: { name: "web", cipassword: secret("backup"), scsi0: "local-lvm:vm-100-disk-0,size=8G" },
    },
  ],
  storages: [
    ...(richSeed["storages"] as object[]),
    // As if Proxmox VE showed what it keeps in files of its own.
    ...["password", "encryption-key", "keyring"].map((option) => ({
      storage: `pbs-${option}`,
      type: "pbs",
      server: "192.0.2.8",
      datastore: "d",
      username: "u@pbs",
      [option]: secret(option),
      active: 0,
    })),
  ],
  cluster: { name: "lab", options: { http_proxy: `http://proxy:${secret("proxy")}@192.0.2.3:3128` } },
};

/** What no seed has: given to the cluster as an administrator would. */
const orders: [path: string, form: Record<string, string>][] = [
  [
    "/access/domains",
    {
      realm: "sso",
      type: "openid",
      "issuer-url": "https://id.example.com",
      "client-id": "pve",
      "client-key": secret("openid"),
    },
  ],
  [
    "/access/domains",
    {
      realm: "dir",
      type: "ldap",
      server1: "192.0.2.41",
      base_dn: "dc=x",
      user_attr: "uid",
      bind_dn: "cn=a",
      password: secret("ldap"),
    },
  ],
  [
    "/cluster/metrics/server/influx",
    { type: "influxdb", server: "192.0.2.6", port: "8086", influxdbproto: "https", token: secret("influx") },
  ],
  ["/cluster/sdn/ipams", { ipam: "box2", type: "netbox", url: "https://n.example.com/api", token: secret("ipam") }],
  ["/cluster/sdn/dns", { dns: "names2", type: "powerdns", url: "https://d.example.com/api", key: secret("dns") }],
  [
    "/cluster/notifications/endpoints/webhook",
    { name: "hook", url: "https://h.example.com", method: "post", secret: `name=k,value=${base64(secret("webhook"))}` },
  ],
];

/** Services that are called with a token in the address. */
const tokenAddresses = [
  `https://h.example.com/send?channel=ops&access_token=${secret("query")}`,
  `https://hooks.example.com/services/T0001/B0002/${secret("path").replaceAll("-", "")}`,
];
orders.push(
  ...tokenAddresses.map((url, index): (typeof orders)[number] => [
    "/cluster/notifications/endpoints/webhook",
    { name: `address${index}`, url, method: "post" },
  ]),
);

let simulator: Simulator;
let folder: string;
const env = () => variablesFor(simulator, "root@pam!admin");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "secrets-"));
  simulator = await startSimulator({ speed: 100, seed });
  for (const [path, form] of orders) {
    const { status, body } = await call(simulator, "POST", path, { form, token: "root@pam!admin" });
    expect({ path, status, message: body.message }).toMatchObject({ status: 200 });
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await simulator.close();
});

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

/** Runs the command and searches everything that it prints and writes. */
async function expectNoSecret(
  command: (args: string[], context: CommandContext) => Promise<number>,
  args: string[],
  codes = [0],
) {
  const { code, stdout, stderr } = await type(command, args, env());
  expect(codes, stderr).toContain(code);
  const text = [stdout, stderr, ...filesIn(folder)].join("\n");
  for (const one of shownAs) expect(text).not.toContain(one);
  return text;
}

it("an export has none of the cluster's secrets", async () => {
  const text = await expectNoSecret(exportCluster, ["--out", join(folder, "cluster.json")]);
  expect(text).toContain("https://h.example.com/send?channel=ops&access_token=**********");
  for (const name of ["pbs-password", "sso", "influx", "box2", "names2", "hook", "cloud"]) expect(text).toContain(name);
});

it("drift shows none", async () => {
  const { guests: running } = simulator.sim.world;
  const options = running[100]?.config as Record<string, string>;
  options["cipassword"] = secret("other");
  options["memory"] = "8192";
  const text = await expectNoSecret(drift, ["--since", join(folder, "cluster.json")], [2]);
  expect(text).toContain("memory: (none) -> 8192");
});

it("adopt writes variables instead", async () => {
  const text = await expectNoSecret(adopt, ["--out", join(folder, "infra"), "--no-plan"]);
  expect(text).toContain("var.notification_endpoint_chat_gotify_token");
  expect(text).toContain("var.notification_endpoint_address0_webhook_url");
});

it("a state with secrets is compared without showing them", async () => {
  const headers = (value: string) => ({
    id: "tel",
    opentelemetry: { server: "192.0.2.5", port: 4318, headers: { k: value } },
  });
  const file = join(folder, "..", "state-with-secrets.json");
  const provider = 'provider["registry.terraform.io/proxmox-ts/proxmox"]';
  const form = {
    type: "opentelemetry",
    server: "192.0.2.5",
    port: "4318",
    "otel-headers": base64(JSON.stringify({ k: secret("now") })),
  };
  const made = await call(simulator, "POST", "/cluster/metrics/server/tel", { form, token: "root@pam!admin" });
  expect(made.status).toBe(200);
  const instances = [{ schema_version: 0, attributes: headers(secret("before")) }];
  const resource = { mode: "managed", type: "proxmox_metric_server", name: "tel", provider, instances };
  writeFileSync(file, JSON.stringify({ version: 4, resources: [resource] }));
  try {
    const text = await expectNoSecret(drift, ["--state", file, "--format", "json"], [2]);
    expect(text).toContain("(sensitive)");
    await expectNoSecret(exportCluster, ["--out", join(folder, "again.json")]);
  } finally {
    rmSync(file);
  }
});

it("secrets of options that are not known yet are left out by their name", () => {
  expect(
    withoutSecrets({
      a: [{ password: "x", b: "http://u:p@h/", cipassword: "x", tfa: "type=yubico,id=c,key=x", text: "a, key=b" }],
      url: [
        "https://h/?token={{ secrets.token }}",
        "https://h/?page=2",
        "https://h/?mail=a@b.example.com",
        "a?token=b",
      ],
      tokens: [{ secret: "y" }],
    }),
  ).toEqual({
    a: [
      { b: "http://**********@h/", cipassword: "**********", tfa: "type=yubico,id=c,key=**********", text: "a, key=b" },
    ],
    url: ["https://h/?token={{ secrets.token }}", "https://h/?page=2", "https://h/?mail=a@b.example.com", "a?token=b"],
    tokens: [{ secret: "y" }],
  });
});
