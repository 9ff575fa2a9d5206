import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { array, boolean, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import { assertDigest } from "../core/sections/section-config.ts";
import { bare } from "../core/world/bare.ts";
import {
  addEntry,
  changedEntry,
  changedEntryFormat,
  describeLists,
  entriesOf,
  newEntry,
  newEntryFormat,
  numbered,
  type PrefixEntry,
  prefixListIdFormat,
  printEntry,
  sectionsHash,
  userOfList,
} from "./prefix-lists.ts";
import { changeSdn, lockToken, pendingEntries, views } from "./sections.ts";

const path = "/cluster/sdn/prefix-lists";
const open = { additionalProperties: true } as const;
const id = string({ format: prefixListIdFormat });
const mayRead = { check: ["perm", "/sdn/prefix-lists/{id}", ["SDN.Audit"]] } as const;
const mayWrite = { check: ["perm", "/sdn/prefix-lists/{id}", ["SDN.Allocate"]] } as const;

/** `digest` is checked also where a call does not declare it. */
async function changeLists(call: Call, action: string, body: () => void): Promise<null> {
  const { digest: expected, "lock-token": token } = call.given;
  await changeSdn(call, action, token, () => {
    assertDigest(sectionsHash(call.world.sdn.prefixLists), expected);
    body();
  });
  return null;
}

const listEndpoints = [
  endpoint({
    ...open,
    method: "GET",
    path,
    permissions: { user: "all" },
    parameters: { ...views, verbose: boolean({ optional: true }) },
    handler: ({ world: { sdn }, params, caller }) => {
      const edited = describeLists(sdn.prefixLists);
      const running = describeLists(sdn.running.prefixLists);
      const seen = params.pending ? pendingEntries(running, edited) : params.running ? running : edited;
      const hash = params.running ? {} : { digest: sectionsHash(sdn.prefixLists) };
      return Object.entries(seen)
        .filter(([key]) => caller.hasAny(`/sdn/prefix-lists/${key}`, ["SDN.Audit", "SDN.Allocate"]))
        .map(([key, entry]) =>
          params.verbose
            ? { ...entry, ...hash }
            : { id: key, ...(entry["state"] !== undefined && { state: entry["state"] }) },
        );
    },
  }),
  endpoint({
    ...open,
    method: "POST",
    path,
    protected: true,
    permissions: { check: ["perm", "/sdn/prefix-lists", ["SDN.Allocate"]] },
    parameters: { id, entries: array(string({ format: newEntryFormat }), { optional: true }), digest, ...lockToken },
    handler: (call) =>
      changeLists(call, "creating prefix list failed", () => {
        const lists = call.world.sdn.prefixLists;
        const { id: name, entries = [] } = call.params;
        if (lists[name] !== undefined) {
          die(`prefix list already exists in configuration: ${name}`);
        }
        lists[name] = { type: "prefix-list", options: { id: name, entries: numbered(entries) } };
      }),
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/{id}`,
    permissions: mayRead,
    parameters: { id },
    handler: ({ world, params }) =>
      bare(describeLists(world.sdn.prefixLists))[params.id] ?? paramError({ id: `${params.id} doesn't exist` }),
  }),
  endpoint({
    ...open,
    method: "PUT",
    path: `${path}/{id}`,
    protected: true,
    permissions: mayWrite,
    parameters: {
      id,
      entries: array(string({ format: changedEntryFormat }), { optional: true }),
      delete: array(string({ enum: ["entries"] }), { optional: true }),
      digest,
      ...lockToken,
    },
    handler: (call) =>
      changeLists(call, "updating prefix list failed", () => {
        const { id: name, entries, delete: deleted = [] } = call.params;
        const list = call.world.sdn.prefixLists[name] ?? die(`Could not find prefix list with id: ${name}`);
        if (deleted.includes("entries")) {
          list.options["entries"] = [];
        }
        if (entries !== undefined) {
          list.options["entries"] = numbered(entries);
        }
      }),
  }),
  endpoint({
    ...open,
    method: "DELETE",
    path: `${path}/{id}`,
    protected: true,
    permissions: mayWrite,
    parameters: { id, ...lockToken },
    handler: (call) =>
      changeLists(call, "deleting prefix list failed", () => {
        const { sdn } = call.world;
        const user = userOfList(sdn, call.params.id);
        if (user !== undefined) {
          die(user);
        }
        if (sdn.prefixLists[call.params.id] === undefined) {
          die(`could not find prefix list with id: ${call.params.id}`);
        }
        delete sdn.prefixLists[call.params.id];
      }),
  }),
];

function store(call: Call, name: string, entries: readonly PrefixEntry[]): void {
  const list = call.world.sdn.prefixLists[name];
  if (list !== undefined) {
    list.options["entries"] = entries.map(printEntry);
  }
}

function listOf(call: Call, name: string): PrefixEntry[] {
  if (call.world.sdn.prefixLists[name] === undefined) {
    die(`could not find prefix list with id ${name}`);
  }
  return entriesOf(call.world.sdn.prefixLists, name);
}

const entryEndpoints = [
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/{id}/entries`,
    permissions: mayRead,
    parameters: { id },
    handler: (call) => listOf(call, call.params.id),
  }),
  endpoint({
    ...open,
    method: "POST",
    path: `${path}/{id}/entries`,
    protected: true,
    permissions: mayWrite,
    parameters: { id, ...newEntry, ...lockToken },
    handler: (call) =>
      changeLists(call, "creating prefix list entry failed", () => {
        const { id: name, action, prefix, ge, le, seq } = call.params;
        const given = Object.entries({ action, prefix, ge, le, seq }).filter(([, value]) => value !== undefined);
        store(call, name, addEntry(listOf(call, name), Object.fromEntries(given)));
      }),
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/{id}/entries/{url_seq}`,
    permissions: mayRead,
    parameters: { id },
    handler: (call) => {
      const { id: name } = call.params;
      const seq = Number(call.given["url_seq"]);
      return (
        entriesOf(call.world.sdn.prefixLists, name).find((one) => one.seq === seq) ??
        paramError({ id: `entry ${seq} in prefix list ${name} doesn't exist` })
      );
    },
  }),
  endpoint({
    ...open,
    method: "PUT",
    path: `${path}/{id}/entries/{url_seq}`,
    protected: true,
    permissions: mayWrite,
    parameters: {
      ...changedEntry,
      delete: array(string({ enum: ["le", "ge", "seq"] }), { optional: true }),
      digest,
      ...lockToken,
    },
    // An entry that is changed moves to the end of the list.
    handler: (call) =>
      changeLists(call, "updating prefix list entry failed", () => {
        const { action, prefix, ge, le, seq, delete: deleted = [] } = call.params;
        const { id: name = "", url_seq: place } = call.given;
        const entries = listOf(call, name);
        const old =
          entries.find((one) => one.seq === Number(place)) ??
          die(`entry with sequence number ${place} does not exist!`);
        const kept = Object.entries(old).filter(([key]) => !(deleted as string[]).includes(key));
        const given = Object.entries({ action, prefix, ge, le, seq }).filter(([, value]) => value !== undefined);
        const others = entries.filter((one) => one !== old);
        store(call, name, addEntry(others, Object.fromEntries([...kept, ...given])));
      }),
  }),
  endpoint({
    ...open,
    method: "DELETE",
    path: `${path}/{id}/entries/{url_seq}`,
    protected: true,
    permissions: mayWrite,
    parameters: { id, ...lockToken },
    handler: (call) =>
      changeLists(call, "deleting prefix list entry failed", () => {
        const { id: name } = call.params;
        const seq = Number(call.given["url_seq"]);
        const entries = listOf(call, name);
        if (!entries.some((one) => one.seq === seq)) {
          die(`could not find prefix list entry with seq ${seq}`);
        }
        store(
          call,
          name,
          entries.filter((one) => one.seq !== seq),
        );
      }),
  }),
];

/** pve-network `src/PVE/API2/Network/SDN/PrefixLists.pm` and `PrefixLists/*.pm`. */
export const prefixListEndpoints = [...listEndpoints, ...entryEndpoints];
