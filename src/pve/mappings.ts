import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, nothing, unordered } from "./wire.ts";

/** A device of the cluster under one name, and its place on each node (`map`, as property strings). */
const mapping = apiObject(() => ({
  id: z.string().optional(),
  description: z.string().optional(),
  map: z.array(z.string()).optional(),
  digest: z.string().optional(),
}));

export type Mapping = z.infer<typeof mapping>;

/** `map` holds one property string per node: `node=pve1,path=/srv`. */
export type MappingValues = Parameters & { readonly map: readonly string[] };

type Kind = "pci" | "usb" | "dir";

/** `/cluster/mapping/{pci,usb,dir}` (pve-manager: PVE/API2/Cluster/Mapping/*.pm): three kinds, one set of calls. */
function callsOf(api: Api, kind: Kind) {
  const all: `/cluster/mapping/${Kind}` = `/cluster/mapping/${kind}`;
  const one: `/cluster/mapping/${Kind}/{id}` = `/cluster/mapping/${kind}/{id}`;
  return {
    list: (options?: CallOptions) => api.get(all, {}, unordered(mapping, "id"), options),
    get: (id: string, options?: CallOptions) => api.get(one, { id }, mapping, options),
    find: (id: string, options?: CallOptions) => orNull(api.get(one, { id }, mapping, options)),
    create: (id: string, { map, ...rest }: MappingValues, options?: CallOptions) =>
      api.post(all, { ...rest, id, map: { each: map } }, nothing, options),
    /** PVE requires the whole map with every change. */
    update: (id: string, { map, ...rest }: MappingValues, options?: CallOptions) =>
      api.put(one, { ...rest, id, map: { each: map } }, nothing, options),
    remove: (id: string, options?: CallOptions) => api.delete(one, { id }, nothing, options),
  };
}

export function mappingCalls(api: Api) {
  return { pci: callsOf(api, "pci"), usb: callsOf(api, "usb"), dir: callsOf(api, "dir") };
}

export type MappingCalls = ReturnType<typeof mappingCalls>;
