import { z } from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { nothing } from "./wire.ts";

/** A device of the cluster under one name, and where it is on each node (`map`, as property strings). */
const mapping = z.looseObject({
  id: z.string().optional(),
  description: z.string().optional(),
  map: z.array(z.string()).optional(),
  digest: z.string().optional(),
});

export type Mapping = z.infer<typeof mapping>;

type Kind = "pci" | "usb" | "dir";

/** `/cluster/mapping/{pci,usb,dir}` (pve-manager: PVE/API2/Cluster/Mapping/*.pm): three kinds, one set of calls. */
function callsOf(api: Api, kind: Kind) {
  const all: `/cluster/mapping/${Kind}` = `/cluster/mapping/${kind}`;
  const one: `/cluster/mapping/${Kind}/{id}` = `/cluster/mapping/${kind}/{id}`;
  return {
    list: (options?: CallOptions) => api.get(all, {}, z.array(mapping), options),
    get: (id: string, options?: CallOptions) => api.get(one, { id }, mapping, options),
    find: (id: string, options?: CallOptions) => orNull(api.get(one, { id }, mapping, options)),
    create: (given: Parameters & { readonly id: string }, options?: CallOptions) =>
      api.post(all, given, nothing, options),
    update: (id: string, change: Parameters, options?: CallOptions) =>
      api.put(one, { ...change, id }, nothing, options),
    remove: (id: string, options?: CallOptions) => api.delete(one, { id }, nothing, options),
  };
}

export function mappingCalls(api: Api) {
  return { pci: callsOf(api, "pci"), usb: callsOf(api, "usb"), dir: callsOf(api, "dir") };
}

export type MappingCalls = ReturnType<typeof mappingCalls>;
