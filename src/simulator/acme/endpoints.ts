import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdFormat, emailListFormat } from "../core/schema/formats.ts";
import { string } from "../core/schema/schema.ts";
import type { AcmeAccount } from "../core/world/acme.ts";
import type { World } from "../core/world/world.ts";
import { askAuthority, defaultDirectory, directories } from "./authority.ts";
import { dnsApis } from "./dns-apis.ts";
import { acmePluginEndpoints } from "./plugins.ts";

const name = string({ optional: true, format: configIdFormat });
const directory = string({ optional: true, pattern: "^https?://.*" });

const accountOf = ({ acme }: World, account: string): AcmeAccount =>
  acme.accounts[account] ?? paramError({ name: `ACME account config file '${account}' does not exist.` });

interface Registration {
  name?: string | undefined;
  contact: string;
  directory?: string | undefined;
  tos_url?: string | undefined;
}

function register(call: Call<Registration>): string {
  const { world, params, sim } = call;
  const account = params.name ?? "default";
  if (world.acme.accounts[account] !== undefined) {
    paramError({ name: `ACME account config file '${account}' already exists.` });
  }
  const url = params.directory ?? defaultDirectory;
  return call.worker("acmeregister", account === "default" ? "" : account, async (task) => {
    task.print("Generating ACME account key..");
    await askAuthority(url);
    task.print("Registering ACME account..");
    world.acme.accounts[account] = {
      contact: splitList(params.contact).map((address) => `mailto:${address}`),
      directory: url,
      location: new URL(`/acct/${Object.keys(world.acme.accounts).length + 1}`, url).href,
      createdAt: new Date(sim.clock.now() * 1000).toISOString(),
      ...(params.tos_url === undefined ? {} : { tos: params.tos_url }),
    };
    task.print(`Registration successful, account URL: '${world.acme.accounts[account].location}'`);
  });
}

/** pve-manager `PVE/API2/ACMEAccount.pm`. Only root@pam can use accounts. */
export const acmeEndpoints = [
  indexEndpoint("/cluster/acme", "name", ["account", "tos", "meta", "directories", "plugins", "challenge-schema"]),
  endpoint({
    method: "GET",
    path: "/cluster/acme/account",
    protected: true,
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world }) => Object.keys(world.acme.accounts).map((account) => ({ name: account })),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/acme/account",
    protected: true,
    parameters: {
      name,
      contact: string({ format: emailListFormat }),
      directory,
      tos_url: string({ optional: true }),
      "eab-kid": string({ optional: true, requires: "eab-hmac-key" }),
      "eab-hmac-key": string({ optional: true, requires: "eab-kid" }),
    },
    handler: register,
  }),
  endpoint({
    method: "GET",
    path: "/cluster/acme/account/{name}",
    protected: true,
    parameters: { name },
    handler: ({ world, params }) => {
      const account = accountOf(world, params.name ?? "default");
      const { contact, createdAt, ...known } = account;
      return { account: { status: "valid", contact, createdAt }, ...known };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/acme/account/{name}",
    protected: true,
    parameters: { name, contact: string({ optional: true, format: emailListFormat }) },
    handler: (call) => {
      const { world, params } = call;
      const account = accountOf(world, params.name ?? "default");
      return call.worker("acmeupdate", params.name ?? "default", async () => {
        await askAuthority(account.directory);
        account.contact = splitList(params.contact ?? "").map((address) => `mailto:${address}`);
      });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/acme/account/{name}",
    protected: true,
    parameters: { name },
    handler: (call) => {
      const { world, params } = call;
      const account = params.name ?? "default";
      accountOf(world, account);
      return call.worker("acmedeactivate", account, () => {
        delete world.acme.accounts[account];
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/cluster/acme/tos",
    permissions: { user: "all" },
    parameters: { directory },
    handler: async ({ params }) => (await askAuthority(params.directory ?? defaultDirectory)).termsOfService,
  }),
  endpoint({
    method: "GET",
    path: "/cluster/acme/meta",
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
    parameters: { directory },
    handler: async ({ params }) => await askAuthority(params.directory ?? defaultDirectory),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/acme/directories",
    permissions: { user: "all" },
    parameters: {},
    handler: () => directories,
  }),
  endpoint({
    method: "GET",
    path: "/cluster/acme/challenge-schema",
    permissions: { user: "all" },
    parameters: {},
    handler: () => dnsApis.map((api) => ({ id: api, name: api, type: "dns", schema: {} })),
  }),
  ...acmePluginEndpoints,
];
