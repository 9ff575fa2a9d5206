import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { paramError } from "../core/kernel/failure.ts";
import { string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import type { FirewallAlias, FirewallFile } from "../core/world/firewall.ts";
import { assertListDigest, changeFirewall, readFirewall, withDigest } from "./files.ts";
import { cidrVersion, ipOrCidrFormat } from "./formats.ts";
import type { Scope } from "./scopes.ts";

const name = string({ pattern: "[A-Za-z][A-Za-z0-9\\-\\_]+", minLength: 2, maxLength: 64 });
const cidr = string({ format: ipOrCidrFormat });
const comment = string({ optional: true });

function describe(alias: FirewallAlias): Record<string, unknown> {
  return { ...alias, ipversion: cidrVersion(alias.cidr) };
}

function listAliases({ aliases, hasStrayLine }: FirewallFile): Record<string, unknown>[] {
  const listed = Object.keys(aliases)
    .sort()
    .map((key) => describe(aliases[key] as FirewallAlias));
  return hasStrayLine ? [{}, ...listed] : listed;
}

interface AliasParams {
  readonly name: string;
  readonly cidr: string;
  readonly comment?: string;
  readonly rename?: string;
  readonly digest?: string;
}

const newAlias = ({ name: text, cidr: network, comment: note }: AliasParams): FirewallAlias => ({
  name: text,
  cidr: network,
  ...(note && { comment: note }),
});

function updateAlias(file: FirewallFile, params: AliasParams): void {
  const key = params.name.toLowerCase();
  const { [key]: existing, ...others } = file.aliases;
  if (existing === undefined) {
    paramError({ name: "no such alias" });
  }
  const renamed = (params.rename ?? params.name).toLowerCase();
  if (renamed !== key && others[renamed] !== undefined) {
    paramError({ name: `alias '${params.rename}' already exists` });
  }
  const alias = newAlias(renamed === key ? params : { ...params, name: params.rename ?? params.name });
  file.aliases = { ...others, [renamed]: alias };
}

/** pve-firewall `src/PVE/API2/Firewall/Aliases.pm`. Names are case-insensitive. */
export function aliasEndpoints(scope: Scope) {
  const path = `${scope.path}/aliases`;
  const paramsOf = (call: Call) => call.params as unknown as AliasParams;
  const change = (call: Call, body: (file: FirewallFile, params: AliasParams) => void) =>
    changeFirewall(call, scope.key(call.params), (file) => body(file, paramsOf(call)));
  return [
    endpoint({
      method: "GET",
      path,
      permissions: scope.read,
      parameters: scope.parameters,
      handler: (call) => withDigest(listAliases(readFirewall(call.world, scope.key(call.params)))),
    }),
    endpoint({
      method: "POST",
      path,
      protected: true,
      permissions: scope.write,
      parameters: { ...scope.parameters, name, cidr, comment },
      handler: (call) =>
        change(call as Call, (file, params) => {
          const key = params.name.toLowerCase();
          if (file.aliases[key] !== undefined) {
            paramError({ name: `alias '${params.name}' already exists` });
          }
          file.aliases[key] = newAlias(params);
        }),
    }),
    endpoint({
      method: "GET",
      path: `${path}/{name}`,
      permissions: scope.read,
      parameters: { ...scope.parameters, name },
      handler: (call) => {
        const { aliases } = readFirewall(call.world, scope.key(call.params));
        return describe(aliases[paramsOf(call as Call).name.toLowerCase()] ?? paramError({ name: "no such alias" }));
      },
    }),
    endpoint({
      method: "PUT",
      path: `${path}/{name}`,
      protected: true,
      permissions: scope.write,
      parameters: { ...scope.parameters, name, cidr, comment, digest, rename: { ...name, optional: true } },
      handler: (call) =>
        change(call as Call, (file, params) => {
          assertListDigest(listAliases(file), params.digest);
          updateAlias(file, params);
        }),
    }),
    endpoint({
      method: "DELETE",
      path: `${path}/{name}`,
      protected: true,
      permissions: scope.write,
      parameters: { ...scope.parameters, name, digest },
      handler: (call) =>
        change(call as Call, (file, params) => {
          assertListDigest(listAliases(file), params.digest);
          delete file.aliases[params.name.toLowerCase()];
        }),
    }),
  ];
}
