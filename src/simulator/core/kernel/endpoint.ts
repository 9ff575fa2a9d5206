import type { Properties, Values } from "../schema/schema.ts";
import type { World } from "../world/world.ts";
import type { Permissions } from "./permission.ts";
import type { Process } from "./process.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One request that passed permission and parameter checks. */
export interface Call<Params = Record<string, unknown>> extends Process {
  /** Checked and converted: integers and numbers as numbers, booleans as 0 and 1, lists as sent. */
  readonly params: Params;
  /** The same parameters as text, for code that stores them as they were sent (`cpulimit=1.50`). */
  readonly given: Readonly<Record<string, string>>;
  readonly world: World;
  /** Members of the answer besides `data`: `total`, `changes`. */
  readonly envelope: Record<string, unknown>;
  /** The file of a multipart upload. */
  readonly upload: Upload | undefined;
}

export interface Upload {
  readonly filename: string;
  readonly size: number;
  /** The start of the file, enough to recognise a format; the rest is counted and discarded. */
  readonly head: Buffer;
  /** Hex digests of the whole file by algorithm, only for the requested `checksum-algorithm`. */
  readonly checksums: Readonly<Record<string, string>>;
}

/** One method of the API, as PVE's `register_method` declares it. */
export interface Endpoint {
  readonly method: Method;
  /** As in the published API description: `/nodes/{node}/qemu/{vmid}/config`. */
  readonly path: string;
  /** Runs in pvedaemon instead of pveproxy: the proxy stops waiting after 30 s (596). */
  readonly protected?: boolean;
  /** Runs on the node named by this parameter. */
  readonly proxyTo?: "node";
  /** `false`: API tokens are refused. */
  readonly allowToken?: false;
  /** The last placeholder matches the rest of the path, including slashes (volume names). */
  readonly restOfPath?: true;
  /** Accepts multipart/form-data. */
  readonly upload?: true;
  readonly permissions?: Permissions;
  readonly parameters: Properties;
  readonly additionalProperties?: true;
  /** The parameters that are known for every `type`; each of the others belongs to certain types. */
  readonly withoutType?: readonly string[];
  handler(call: Call): unknown;
}

/** Declares an endpoint; the handler's `call.params` is typed by `parameters`. */
export function endpoint<const P extends Properties>(
  definition: Omit<Endpoint, "parameters" | "handler"> & {
    readonly parameters: P;
    handler(call: Call<Values<P>>): unknown;
  },
): Endpoint {
  return definition as Endpoint;
}
