import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../core/kernel/failure.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import type { FirewallFile, FirewallSet } from "../core/world/firewall.ts";
import type { World } from "../core/world/world.ts";
import { assertListDigest, changeFirewall, readFirewall, withDigest } from "./files.ts";
import { cleanCidr, ipOrCidrOrAliasFormat, isAlias, shortCidr } from "./formats.ts";
import type { Scope } from "./scopes.ts";

const name = string({ pattern: "[A-Za-z][A-Za-z0-9\\-\\_]+", minLength: 2, maxLength: 64 });
const comment = string({ optional: true });
const cidr = string({ format: ipOrCidrOrAliasFormat });
const nomatch = boolean({ optional: true });

interface SetParams {
  readonly name: string;
  readonly cidr: string;
  readonly comment?: string;
  readonly nomatch?: 0 | 1;
  readonly rename?: string;
  readonly force?: 0 | 1;
  readonly digest?: string;
}

function listSets({ sets }: FirewallFile): object[] {
  return Object.keys(sets)
    .sort()
    .map((key) => ({ name: key, ...(sets[key]?.comment && { comment: sets[key].comment }) }));
}

function getSet(file: FirewallFile, key: string): FirewallSet {
  return file.sets[key] ?? die(`no such IPSet '${key}'`);
}

/** `rename` is the old name, not the new one. */
function createSet(file: FirewallFile, params: SetParams): void {
  const old = params.rename;
  if (old !== undefined) {
    assertListDigest(listSets(file), params.digest);
    const set = file.sets[old] ?? paramError({ name: `IPSet '${old}' does not exist` });
    if (file.sets[params.name] !== undefined && params.name !== old) {
      paramError({ name: `IPSet '${params.name}' does already exist` });
    }
    delete file.sets[old];
    file.sets[params.name] = { ...set, ...(params.comment !== undefined && { comment: params.comment }) };
    return;
  }
  if (file.sets[params.name] !== undefined) {
    paramError({ name: `IPSet '${params.name}' already exists` });
  }
  file.sets[params.name] = { ...(params.comment !== undefined && { comment: params.comment }), entries: [] };
}

/** `resolve_alias`: a name with a scope is searched only there. */
function requireAlias(world: World, file: FirewallFile, reference: string): void {
  const [, scope, alias] = /^(dc\/|guest\/)?([A-Za-z][A-Za-z0-9\-_]+)$/.exec(reference) ?? [];
  if (alias === undefined) {
    return;
  }
  const files = [...(scope === "dc/" ? [] : [file]), ...(scope === "guest/" ? [] : [readFirewall(world, "cluster")])];
  if (!files.some(({ aliases }) => aliases[alias.toLowerCase()] !== undefined)) {
    die(`no such alias '${alias}'`);
  }
}

/** Entries as they are read back: a missing alias is an error of its entry. */
function listEntries(world: World, file: FirewallFile, name: string): (FirewallSet["entries"][number] & object)[] {
  return getSet(file, name).entries.map((entry) => {
    try {
      requireAlias(world, file, entry.cidr);
      return entry;
    } catch (thrown) {
      return { ...entry, errors: { cidr: failureText(thrown).trimEnd() } };
    }
  });
}

function addEntry(world: World, file: FirewallFile, params: SetParams): void {
  const set = getSet(file, params.name);
  requireAlias(world, file, params.cidr);
  const network = isAlias(params.cidr) ? params.cidr : shortCidr(cleanCidr(params.cidr));
  if (set.entries.some((entry) => entry.cidr === network)) {
    paramError({ cidr: `address '${network}' already exists` });
  }
  if (/\/0+$/.test(network)) {
    paramError({ cidr: "a zero prefix is not allowed in ipset entries" });
  }
  set.entries.unshift({
    cidr: network,
    ...(params.nomatch === 1 && { nomatch: 1 as const }),
    ...(params.comment && { comment: params.comment }),
  });
}

function updateEntry(file: FirewallFile, params: SetParams): void {
  const set = getSet(file, params.name);
  assertListDigest(set.entries, params.digest);
  const index = set.entries.findIndex((entry) => entry.cidr === params.cidr);
  if (index < 0) {
    paramError({ cidr: "no such IP/Network" });
  }
  set.entries[index] = {
    cidr: params.cidr,
    ...(params.nomatch === 1 && { nomatch: 1 as const }),
    ...(params.comment && { comment: params.comment }),
  };
}

type Read = (file: FirewallFile, params: SetParams, world: World) => unknown;
type Change = (file: FirewallFile, params: SetParams, world: World) => void;

/** pve-firewall `src/PVE/API2/Firewall/IPSet.pm`. */
export function setEndpoints(scope: Scope) {
  const path = `${scope.path}/ipset`;
  const { parameters } = scope;
  const paramsOf = (params: unknown) => params as SetParams;
  const read = (body: Read) => (call: { world: World; params: object }) =>
    body(
      readFirewall(call.world, scope.key(call.params as Record<string, unknown>)),
      paramsOf(call.params),
      call.world,
    );
  const change = (body: Change) => (call: object) => {
    const { world, params } = call as Call;
    return changeFirewall(call as Call, scope.key(params), (file) => body(file, paramsOf(params), world));
  };
  const reads = { method: "GET", permissions: scope.read } as const;
  const writes = { protected: true, permissions: scope.write } as const;
  return [
    endpoint({ ...reads, path, parameters, handler: read((file) => withDigest(listSets(file))) }),
    endpoint({
      ...writes,
      method: "POST",
      path,
      parameters: { ...parameters, name, comment, digest, rename: { ...name, optional: true } },
      handler: change(createSet),
    }),
    endpoint({
      ...reads,
      path: `${path}/{name}`,
      parameters: { ...parameters, name },
      handler: read((file, params, world) => withDigest(listEntries(world, file, params.name))),
    }),
    endpoint({
      ...writes,
      method: "POST",
      path: `${path}/{name}`,
      parameters: { ...parameters, name, cidr, comment, nomatch },
      handler: change((file, params, world) => addEntry(world, file, params)),
    }),
    endpoint({
      ...writes,
      method: "DELETE",
      path: `${path}/{name}`,
      parameters: { ...parameters, name, force: boolean({ optional: true }) },
      handler: change((file, params) => {
        if (getSet(file, params.name).entries.length > 0 && params.force !== 1) {
          die(`IPSet '${params.name}' is not empty`);
        }
        delete file.sets[params.name];
      }),
    }),
    ...entryEndpoints(scope, read, change),
  ];
}

function entryEndpoints(
  scope: Scope,
  read: (body: Read) => (call: Call) => unknown,
  change: (body: Change) => (call: object) => Promise<null>,
) {
  const path = `${scope.path}/ipset/{name}/{cidr}`;
  const common = { path, protected: true, restOfPath: true } as const;
  const parameters = { ...scope.parameters, name, cidr };
  return [
    endpoint({
      ...common,
      method: "GET",
      permissions: scope.read,
      parameters,
      handler: (call) =>
        read(
          (file, params, world) =>
            withDigest(listEntries(world, file, params.name)).find((entry) => entry.cidr === params.cidr) ??
            paramError({ cidr: "no such IP/Network" }),
        )(call),
    }),
    endpoint({
      ...common,
      method: "PUT",
      permissions: scope.write,
      parameters: { ...parameters, comment, nomatch, digest },
      handler: change(updateEntry),
    }),
    endpoint({
      ...common,
      method: "DELETE",
      permissions: scope.write,
      parameters: { ...parameters, digest },
      handler: change((file, params) => {
        const set = getSet(file, params.name);
        assertListDigest(set.entries, params.digest);
        set.entries = set.entries.filter((entry) => entry.cidr !== params.cidr);
      }),
    }),
  ];
}
