import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, taskOrNothing } from "./wire.ts";

/** An object of the configuration as PVE answers it: options by name, and the digest of the file it is in. */
const object = apiObject(() => ({ digest: z.string().optional() }));

export type ConfigObject = z.infer<typeof object>;

export interface ObjectPaths {
  /** `/storage/{storage}` */
  readonly path: string;
  /** Where all of them are listed. Default: one level above. */
  readonly collection?: string | undefined;
  /** Where a `POST` creates one. Default: the collection. */
  readonly creation?: string | undefined;
  /** What changes one. Default: `PUT`. */
  readonly change?: "POST" | undefined;
  /** What the call for the list sends besides: `{ full: true }`. */
  readonly listing?: Parameters | undefined;
}

/** Lists of what waits for a commit may have a digest without a value. */
const listed = z
  .looseObject({ digest: z.string().nullish() })
  .transform(({ digest, ...rest }): ConfigObject => ({ ...rest, ...(digest && { digest }) }));

/** A list of the API. */
export const collect = (api: Api, path: string, given: Parameters, options?: CallOptions): Promise<ConfigObject[]> =>
  api.get(path, given, z.array(listed), options);

/** Calls on an object that has a path of its own and is listed one level above: most of a cluster's configuration. */
export function objectCalls(
  api: Api,
  { path, collection = path.slice(0, path.lastIndexOf("/")), creation, change: method, listing = {} }: ObjectPaths,
) {
  const send = method === "POST" ? api.post : api.put;
  return {
    list: (key: Parameters, options?: CallOptions) =>
      api.get(
        collection,
        { ...listing, ...(collection.includes("{") && only(key, collection)) },
        z.array(object),
        options,
      ),
    get: (key: Parameters, options?: CallOptions) => api.get(path, only(key, path), object, options),
    find: (key: Parameters, options?: CallOptions) => orNull(api.get(path, only(key, path), object, options)),
    create: (values: Parameters, options?: CallOptions) =>
      api.post(creation ?? collection, values, taskOrNothing, options),
    /** With `isRepeatable` for what can be sent twice and changes nothing the second time. */
    update: (change: Parameters, options?: CallOptions & { readonly isRepeatable?: boolean }) =>
      send(path, change, taskOrNothing, options),
    remove: (key: Parameters, options?: CallOptions, besides: Parameters = {}) =>
      orNull(api.delete(path, { ...besides, ...only(key, path) }, taskOrNothing, { ...options, isRepeatable: true })),
  };
}

/**
 * The values for the places of a path. Others would become parameters, and PVE refuses those it does not know. A path
 * without places takes the identity as parameters.
 */
function only(key: Parameters, path: string): Parameters {
  const places = new Set([...path.matchAll(/\{([^}]+)\}/g)].map(([, place]) => place));
  if (places.size === 0) return key;
  return Object.fromEntries(Object.entries(key).filter(([name]) => places.has(name)));
}

export type ObjectCalls = ReturnType<typeof objectCalls>;
