import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, flag, integer, listOfTypes, nothing, text } from "./wire.ts";

/** A rule that PVE cannot apply any more (its alias is gone) is listed with `errors`. */
const rule = apiObject(() => ({
  type: z.string(),
  action: z.string(),
  enable: integer.optional(),
  digest: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
}));

const set = apiObject(() => ({ name: z.string(), comment: text.optional(), digest: z.string().optional() }));
const group = apiObject(() => ({ group: z.string(), comment: text.optional(), digest: z.string().optional() }));
const alias = apiObject(() => ({ name: z.string(), cidr: z.string(), comment: text.optional() }));
const entry = apiObject(() => ({ cidr: z.string(), comment: text.optional(), nomatch: flag.optional() }));
const options = apiObject(() => ({ digest: z.string().optional() }));
const referenceTypes = ["alias", "ipset"] as const;
const reference = apiObject(() => ({
  type: z.enum(referenceTypes),
  name: z.string(),
  scope: z.string().optional(),
  comment: text.optional(),
}));
const macro = apiObject(() => ({ macro: z.string(), descr: z.string().optional() }));

export type FirewallRule = z.infer<typeof rule>;
export type FirewallSetEntry = z.infer<typeof entry>;
export type FirewallReference = z.infer<typeof reference>;

/** The firewall of the cluster, a node, a guest or a vnet: its path, the values of the path's places, and its file. */
export interface FirewallPlace {
  readonly path: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly file: string;
}

/** The rules of a place, or of a security group. Writes are sent once: positions are those of the list with that digest. */
function ruleCalls(api: Api, path: string, values: FirewallPlace["values"]) {
  const one = `${path}/{pos}`;
  const under = (digest: string | undefined) => (digest === undefined ? {} : { digest });
  return {
    list: (call?: CallOptions) => api.get(path, values, z.array(rule), call),
    /** PVE puts it first, whatever the position asked for. */
    insert: (change: Parameters, call?: CallOptions) => api.post(path, { ...values, ...change }, nothing, call),
    update: (pos: number, change: Parameters, digest: string | undefined, call?: CallOptions) =>
      api.put(one, { ...values, pos, ...change, ...under(digest) }, nothing, call),
    /** PVE counts the target in the list that still has the rule where it was. */
    move: (pos: number, to: number, digest: string | undefined, call?: CallOptions) =>
      api.put(one, { ...values, pos, moveto: to > pos ? to + 1 : to, ...under(digest) }, nothing, call),
    remove: (pos: number, digest: string | undefined, call?: CallOptions) =>
      api.delete(one, { ...values, pos, ...under(digest) }, nothing, call),
  };
}

function setCalls(api: Api, { path, values }: FirewallPlace) {
  const [all, one, member] = [`${path}/ipset`, `${path}/ipset/{name}`, `${path}/ipset/{name}/{cidr}`];
  return {
    list: (call?: CallOptions) => api.get(all, values, z.array(set), call),
    create: (name: string, comment: string | null, call?: CallOptions) =>
      api.post(all, { ...values, name, ...(comment !== null && { comment }) }, nothing, call),
    /** Equal names change the comment alone. */
    rename: (from: string, name: string, comment: string, call?: CallOptions) =>
      api.post(all, { ...values, rename: from, name, comment }, nothing, call),
    /** With all of its entries. */
    remove: (name: string, call?: CallOptions) =>
      orNull(api.delete(one, { ...values, name, force: true }, nothing, { ...call, isRepeatable: true })),
    listEntries: (name: string, call?: CallOptions) => api.get(one, { ...values, name }, z.array(entry), call),
    addEntry: (name: string, change: Parameters, call?: CallOptions) =>
      api.post(one, { ...values, name, ...change }, nothing, call),
    /** Comment and `nomatch` become what is given; left out, they are unset. */
    updateEntry: (name: string, change: Parameters, call?: CallOptions) =>
      api.put(member, { ...values, name, ...change } as never, nothing, { ...call, isRepeatable: true }),
    removeEntry: (name: string, cidr: string, call?: CallOptions) =>
      orNull(api.delete(member, { ...values, name, cidr }, nothing, { ...call, isRepeatable: true })),
  };
}

function aliasCalls(api: Api, { path, values }: FirewallPlace) {
  const [all, one] = [`${path}/aliases`, `${path}/aliases/{name}`];
  return {
    list: (call?: CallOptions) => api.get(all, values, z.array(alias), call),
    create: (change: Parameters, call?: CallOptions) => api.post(all, { ...values, ...change }, nothing, call),
    /** What is left out is unset, except the address, which PVE wants with every change. */
    update: (name: string, change: Parameters, call?: CallOptions) =>
      api.put(one, { ...values, name, ...change }, nothing, call),
    remove: (name: string, call?: CallOptions) =>
      orNull(api.delete(one, { ...values, name }, nothing, { ...call, isRepeatable: true })),
  };
}

function groupCalls(api: Api) {
  const path = "/cluster/firewall/groups";
  return {
    list: (call?: CallOptions) => api.get(path, {}, z.array(group), call),
    create: (name: string, comment: string | null, call?: CallOptions) =>
      api.post(path, { group: name, ...(comment !== null && { comment }) }, nothing, call),
    /** Rules that name the group follow, except those of vnets. Equal names change the comment alone. */
    rename: (from: string, name: string, comment: string, call?: CallOptions) =>
      api.post(path, { rename: from, group: name, comment }, nothing, call),
    /** PVE keeps a group that has rules. */
    remove: (name: string, call?: CallOptions) =>
      orNull(api.delete(`${path}/{group}`, { group: name }, nothing, { ...call, isRepeatable: true })),
    rules: (name: string) => ruleCalls(api, `${path}/{group}`, { group: name }),
  };
}

/** Firewalls of the cluster, nodes, guests and vnets (pve-firewall: src/PVE/API2/Firewall/*.pm). */
export function firewallCalls(changing: (file: string) => Api) {
  return {
    options: {
      get: ({ path, values, file }: FirewallPlace, call?: CallOptions) =>
        changing(file).get(`${path}/options`, values, options, call),
      update: ({ path, values, file }: FirewallPlace, change: Parameters, call?: CallOptions) =>
        changing(file).put(`${path}/options`, { ...values, ...change }, nothing, call),
    },
    rules: ({ path, values, file }: FirewallPlace) => ruleCalls(changing(file), `${path}/rules`, values),
    sets: (place: FirewallPlace) => setCalls(changing(place.file), place),
    aliases: (place: FirewallPlace) => aliasCalls(changing(place.file), place),
    groups: groupCalls(changing("cluster.fw")),
    /** Aliases and sets that rules of the place may name. Nodes and vnets have none of their own. */
    listReferences: ({ path, values, file }: FirewallPlace, call?: CallOptions) =>
      changing(file).get(`${path}/refs`, values, listOfTypes(referenceTypes, reference), call),
    listMacros: (call?: CallOptions) =>
      changing("cluster.fw").get("/cluster/firewall/macros", {}, z.array(macro), call),
  };
}

export type FirewallCalls = ReturnType<typeof firewallCalls>;
export type FirewallRuleCalls = ReturnType<typeof ruleCalls>;
export type FirewallSetCalls = ReturnType<typeof setCalls>;
