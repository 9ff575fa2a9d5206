import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { array, boolean, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import { assertDigest } from "../core/sections/section-config.ts";
import type { World } from "../core/world/world.ts";
import { sectionsHash } from "./prefix-lists.ts";
import { checkedOptions, describeEntries, entryKey, entryOptions, hasEntries } from "./route-maps.ts";
import { changeSdn, lockToken, pendingEntries, type View, views } from "./sections.ts";

const path = "/cluster/sdn/route-maps";
const open = { additionalProperties: true } as const;
const readers = ["SDN.Audit", "SDN.Allocate"] as const;
const mayRead = { check: ["perm", "/sdn/route-maps/{route-map-id}", readers, { any: true }] } as const;
const mayWrite = { check: ["perm", "/sdn/route-maps/{route-map-id}", ["SDN.Allocate"]] } as const;
const action = string({ enum: ["permit", "deny"] });

async function changeMaps(call: Call, failure: string, body: () => void): Promise<null> {
  const { digest: expected, "lock-token": token } = call.given;
  await changeSdn(call, failure, token, () => {
    assertDigest(sectionsHash(call.world.sdn.routeMaps), expected);
    body();
  });
  return null;
}

function viewEntries({ sdn }: World, view: View): Record<string, Record<string, unknown>> {
  const edited = describeEntries(sdn.routeMaps);
  const running = describeEntries(sdn.running.routeMaps);
  const seen = view.pending ? pendingEntries(running, edited) : view.running ? running : edited;
  const hash = view.running && !view.pending ? {} : { digest: sectionsHash(sdn.routeMaps) };
  return Object.fromEntries(Object.entries(seen).map(([key, entry]) => [key, { ...entry, ...hash }]));
}

const readEndpoints = [
  endpoint({
    ...open,
    method: "GET",
    path,
    permissions: { user: "all" },
    parameters: { running: boolean({ optional: true }) },
    handler: ({ world: { sdn }, params, caller }) => {
      const sections = params.running ? sdn.running.routeMaps : sdn.routeMaps;
      const maps = new Set(Object.values(sections).map(({ options }) => String(options["route-map-id"])));
      return [...maps]
        .sort()
        .filter((id) => caller.hasAny(`/sdn/route-maps/${id}`, readers))
        .map((id) => ({ id }));
    },
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/entries`,
    permissions: { user: "all" },
    parameters: views,
    // PVE asks for privileges on the id of the entry, not on that of its map.
    handler: ({ world, params, caller }) =>
      Object.entries(viewEntries(world, params))
        .filter(([key]) => caller.hasAny(`/sdn/route-maps/${key}`, readers))
        .map(([, entry]) => entry),
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/entries/{route-map-id}`,
    permissions: mayRead,
    parameters: { "route-map-id": entryKey["route-map-id"], ...views },
    handler: ({ world, params }) => {
      const isOfMap = (key: string) => key.slice(0, key.lastIndexOf("_")) === params["route-map-id"];
      return Object.entries(viewEntries(world, params))
        .filter(([key]) => isOfMap(key))
        .map(([, entry]) => entry);
    },
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/entries/{route-map-id}/entry/{order}`,
    permissions: mayRead,
    parameters: entryKey,
    handler: ({ world, params }) => {
      const key = `${params["route-map-id"]}_${params.order}`;
      return describeEntries(world.sdn.routeMaps)[key] ?? paramError({ "route-map-id": `${key} doesn't exist` });
    },
  }),
];

/** A controller keeps the last entry of the map that it names. */
function checkLast({ sdn }: World, map: string, key: string): void {
  const { [key]: _, ...others } = sdn.routeMaps;
  const user = Object.keys(sdn.controllers).find((id) =>
    ["route-map-in", "route-map-out"].some((option) => sdn.controllers[id]?.options[option] === map),
  );
  if (user !== undefined && !hasEntries(others, map)) {
    die(`route map ${map} still referenced by controller ${user}`);
  }
}

const writeEndpoints = [
  endpoint({
    ...open,
    method: "POST",
    path: `${path}/entries`,
    protected: true,
    permissions: { check: ["perm", "/sdn/route-maps", ["SDN.Allocate"]] },
    parameters: { ...entryKey, action, ...entryOptions, digest, ...lockToken },
    handler: (call) =>
      changeMaps(call, "creating route map entry failed", () => {
        const { "route-map-id": map, order, ...rest } = call.params;
        const key = `${map}_${order}`;
        const { routeMaps } = call.world.sdn;
        const given = checkedOptions(rest);
        if (routeMaps[key] !== undefined) {
          die(`route map entry already exists in configuration: ${key}`);
        }
        const options = { "route-map-id": map, order: String(order), ...given };
        routeMaps[key] = { type: "route-map-entry", options };
      }),
  }),
  endpoint({
    ...open,
    method: "PUT",
    path: `${path}/entries/{route-map-id}/entry/{order}`,
    protected: true,
    permissions: mayWrite,
    parameters: {
      ...entryKey,
      action: string({ optional: true, enum: ["permit", "deny"] }),
      ...entryOptions,
      delete: array(string({ enum: ["set", "match", "call", "exit-action"] }), { optional: true }),
      digest,
      ...lockToken,
    },
    handler: (call) =>
      changeMaps(call, "updating route map entry failed", () => {
        const { "route-map-id": map, order, delete: deleted = [], ...rest } = call.params;
        const key = `${map}_${order}`;
        const section = call.world.sdn.routeMaps[key] ?? die(`Could not find route map with id: ${key}`);
        const options = { ...section.options, ...checkedOptions(rest) };
        section.options = Object.fromEntries(
          Object.entries(options).filter(([name]) => !(deleted as string[]).includes(name)),
        );
      }),
  }),
  endpoint({
    ...open,
    method: "DELETE",
    path: `${path}/entries/{route-map-id}/entry/{order}`,
    protected: true,
    permissions: mayWrite,
    parameters: { ...entryKey, ...lockToken },
    handler: (call) =>
      changeMaps(call, "deleting route map entry failed", () => {
        const key = `${call.params["route-map-id"]}_${call.params.order}`;
        if (call.world.sdn.routeMaps[key] === undefined) {
          die(`could not find route map entry with id: ${key}`);
        }
        checkLast(call.world, call.params["route-map-id"], key);
        delete call.world.sdn.routeMaps[key];
      }),
  }),
];

/** pve-network `src/PVE/API2/Network/SDN/RouteMaps.pm` and `RouteMaps/*.pm`. */
export const routeMapEndpoints = [...readEndpoints, ...writeEndpoints];
