import type { Properties, Values } from "../schema/schema.ts";
import type { World } from "../world/world.ts";
import type { Permissions } from "./permission.ts";
import type { Process } from "./process.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One request that passed permission and parameter checks. */
export interface Call<Params = Record<string, unknown>> extends Process {
  /** Checked and converted: integers and numbers as numbers, booleans as 0 and 1, lists as sent. */
  readonly params: Params;
  /** The same parameters as text, for code that stores them the way they were sent (`cpulimit=1.50`). */
  readonly given: Readonly<Record<string, string>>;
  readonly world: World;
  /** Members of the answer beside `data`: `total`, `changes`. */
  readonly envelope: Record<string, unknown>;
  /** The file of a multipart upload. */
  readonly upload: Upload | undefined;
}

export interface Upload {
  readonly filename: string;
  readonly size: number;
  /** The beginning of the file, enough to recognise a format; the rest is counted and thrown away. */
  readonly head: Buffer;
  /** Hex digests of the whole file by algorithm, only for the requested `checksum-algorithm`. */
  readonly checksums: Readonly<Record<string, string>>;
}

/** One row of the API: what PVE's `register_method` declares. */
export interface Endpoint {
  readonly method: Method;
  /** As in the published API description: `/nodes/{node}/qemu/{vmid}/config`. */
  readonly path: string;
  /** Runs in pvedaemon instead of pveproxy: the proxy gives up after 30 s (596). */
  readonly protected?: boolean;
  /** Runs on the node named by this parameter. */
  readonly proxyTo?: "node";
  /** `false`: API tokens are refused. */
  readonly allowToken?: false;
  /** The last placeholder takes the rest of the path, slashes included (volume names). */
  readonly restOfPath?: true;
  /** Takes multipart/form-data. */
  readonly upload?: true;
  readonly permissions?: Permissions;
  readonly parameters: Properties;
  readonly additionalProperties?: true;
  /** The parameters that are known whatever `type` is; the others belong to one type or another. */
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
