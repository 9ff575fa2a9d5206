import type { Readable } from "node:stream";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export type Scalar = string | number | boolean;

/** A parameter of schema type `array`: sent once for each item. */
export interface Repeated {
  readonly each: readonly Scalar[];
}

/** Parameters of a call by PVE's names. Booleans are sent as 1 and 0, lists joined by commas, undefined not at all. */
export type Parameters = Readonly<Record<string, Scalar | readonly Scalar[] | Repeated | undefined>>;

/** One request in the chain of wrappers that `transport.ts` assembles. */
export interface Call {
  readonly method: Method;
  /** `/nodes/{node}/qemu/{vmid}/config`: log lines and errors are grouped by it. */
  readonly template: string;
  /** The template with its placeholders filled in and percent-encoded. */
  readonly path: string;
  readonly parameters: Parameters;
  readonly headers: Readonly<Record<string, string>>;
  /** Sending it twice has the same effect as sending it once. */
  readonly isRepeatable: boolean;
  /** A file of the host's web server, outside the API. */
  readonly isFile?: true;
  readonly upload?: Upload | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file to upload to a storage. PVE requires its length beforehand and the file last. */
export interface Upload {
  readonly fileName: string;
  readonly size: number;
  readonly open: () => Readable;
}

export interface Answer {
  readonly status: number;
  /** The reason phrase: the only place where PVE's 401 and 595 explain themselves. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export type Send = (call: Call) => Promise<Answer>;
