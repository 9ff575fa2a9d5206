import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { listOf, namedFormat, splitList } from "../core/schema/format.ts";
import { configIdFormat, configIdListFormat, interfaceFormat } from "../core/schema/formats.ts";
import { ipv4Format, macAddressFormat } from "../core/schema/network-formats.ts";
import { matches } from "../core/schema/pattern.ts";
import { parsePropertyString, propertyFormat } from "../core/schema/property-string.ts";
import { indexed, integer, number, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { assertDigest, sha1 } from "../core/sections/section-config.ts";
import { getNode } from "../core/world/node.ts";
import type { World } from "../core/world/world.ts";
import { bootNode } from "./power.ts";

/*
 * Options of a node, stored in /etc/pve/nodes/<node>/config as text (pve-manager `PVE/NodeConfig.pm`,
 * `PVE/API2/NodeConfig.pm`).
 */

const label = "[a-zA-Z0-9]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9])?";

const domainName = (name: string, pattern: string) =>
  namedFormat(name, (value) => {
    if (!matches(pattern, value)) {
      die(`value '${value}' does not look like a valid ${name === "pve-acme-alias" ? "alias" : "domain name"}!`);
    }
  });

const acmeDomain = domainName("pve-acme-domain", `(\\*\\.)?(${label}\\.)*${label}`);
const acmeAlias = domainName("pve-acme-alias", `([a-zA-Z0-9_-]+\\.)*[a-zA-Z0-9_-]+`);

const acmeFormat = propertyFormat({
  account: string({ optional: true, format: configIdFormat }),
  domains: string({ optional: true, format: listOf(acmeDomain) }),
});

const acmeDomainFormat = propertyFormat({
  domain: string({ format: acmeDomain, default_key: true }),
  alias: string({ optional: true, format: acmeAlias }),
  plugin: string({ optional: true, format: configIdFormat }),
});

const options = {
  acme: string({ optional: true, format: acmeFormat }),
  ...indexed("acmedomain", 6, string({ optional: true, format: acmeDomainFormat })),
  "ballooning-target": integer({ optional: true, minimum: 0, maximum: 100 }),
  description: string({ optional: true, maxLength: 65_536 }),
  location: string({
    optional: true,
    format: propertyFormat(
      {
        latitude: number({ minimum: -90, maximum: 90 }),
        longitude: number({ minimum: -180, maximum: 180 }),
        name: string({ optional: true, maxLength: 128 }),
      },
      { name: "pve-node-location" },
    ),
  }),
  "startall-onboot-delay": integer({ optional: true, minimum: 0, maximum: 300 }),
  wakeonlan: string({
    optional: true,
    format: propertyFormat({
      mac: string({ format: macAddressFormat, default_key: true }),
      "bind-interface": string({ optional: true, format: interfaceFormat }),
      "broadcast-address": string({ optional: true, format: ipv4Format }),
    }),
  }),
};

type Options = Record<string, string>;

/** SHA-1 of the file; undefined before the first option is written. */
const digestOf = (config: Options) => sha1(JSON.stringify(config));

/** Every domain may be named once in `acme` and the `acmedomain…` options. */
function checkDomains(config: Options): void {
  const owners = new Map<string, string>();
  const claim = (domain: string, option: string) => {
    const owner = owners.get(domain);
    if (owner !== undefined) {
      die(`duplicate domain '${domain}' in ACME config properties '${option}' and '${owner}'`);
    }
    owners.set(domain, option);
  };
  for (const domain of splitList(
    config["acme"] ? (parsePropertyString(acmeFormat, config["acme"])["domains"] ?? "") : "",
  )) {
    claim(domain, "acme");
  }
  for (const option of Object.keys(config)
    .filter((name) => name.startsWith("acmedomain"))
    .sort()) {
    claim(parsePropertyString(acmeDomainFormat, config[option] ?? "")["domain"] ?? "", option);
  }
}

function checkPlugins(world: World, config: Options): void {
  for (const [, text] of Object.entries(config).filter(([name]) => name.startsWith("acmedomain"))) {
    const { domain = "", plugin = "standalone" } = parsePropertyString(acmeDomainFormat, text);
    if (plugin !== "standalone" && world.acme.plugins[plugin] === undefined) {
      die(`plugin '${plugin}' for domain '${domain}' not found!`);
    }
  }
}

/** The domains that an ACME order of this node covers. */
export function acmeDomains(config: Options | undefined): string[] {
  const single = splitList(config?.["acme"] ? (parsePropertyString(acmeFormat, config["acme"])["domains"] ?? "") : "");
  const further = Object.entries(config ?? {})
    .filter(([name]) => name.startsWith("acmedomain"))
    .map(([, text]) => parsePropertyString(acmeDomainFormat, text)["domain"] ?? "");
  return [...single, ...further];
}

function read({ world, params, node: here }: Call<{ property?: string | undefined }>) {
  const config = getNode(world, here).config;
  // A file without content has no digest either.
  if (config === undefined || Object.values(config).every((value) => value === "")) {
    return {};
  }
  const shown = { description: "", ...config };
  const all = { ...shown, ...(config["description"] ? { description: `${config["description"]}\n` } : {}) };
  return params.property === undefined
    ? { ...all, digest: digestOf(config) }
    : Object.fromEntries(Object.entries(all).filter(([name]) => name === params.property));
}

function write({
  world,
  params,
  given,
  node: here,
}: Call<{ delete?: string | undefined; digest?: string | undefined }>) {
  const host = getNode(world, here);
  const before = host.config ?? {};
  assertDigest(digestOf(before), params.digest);
  const { node: _, delete: __, digest: ___, ...set } = given;
  const deleted = splitList(params.delete ?? "");
  const kept = Object.entries({ ...before, ...set }).filter(([name]) => !deleted.includes(name));
  const config = Object.fromEntries(kept);
  checkDomains(config);
  checkPlugins(world, config);
  host.config = config;
  return null;
}

export const nodeConfigEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/config",
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Audit"]] },
    parameters: { node, property: string({ optional: true, enum: Object.keys(options).sort() }) },
    handler: read,
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/config",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Modify"]] },
    parameters: {
      ...options,
      node,
      delete: string({ optional: true, format: configIdListFormat }),
      digest: string({ optional: true, maxLength: 40 }),
    },
    handler: write,
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/wakeonlan",
    protected: true,
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.PowerMgmt"]] },
    parameters: { node },
    handler: ({ sim, world, params }) => {
      const host = world.nodes[params.node] ?? die(`no such cluster node '${params.node}'`);
      if (params.node === world.cluster.local) {
        die(`'${params.node}' is local node, cannot wake my self!`);
      }
      const wakeonlan = host.config?.["wakeonlan"] ?? die(`No wake on LAN MAC address defined for '${params.node}'!`);
      bootNode(sim, host);
      return parsePropertyString(options.wakeonlan.format, wakeonlan)["mac"];
    },
  }),
];
