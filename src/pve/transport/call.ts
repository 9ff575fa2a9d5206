import type { Readable } from "node:stream";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export type Scalar = string | number | boolean;

/** A parameter of schema type `array`: given once for each item. */
export interface Repeated {
  readonly each: readonly Scalar[];
}

/** Parameters of a call by PVE's names. Booleans travel as 1 and 0, lists joined by commas, undefined not at all. */
export type Parameters = Readonly<Record<string, Scalar | readonly Scalar[] | Repeated | undefined>>;

/** One request on its way down the chain of wrappers that `transport.ts` assembles. */
export interface Call {
  readonly method: Method;
  /** `/nodes/{node}/qemu/{vmid}/config`: what log lines and errors are grouped by. */
  readonly template: string;
  /** The template with its places filled in and percent-encoded. */
  readonly path: string;
  readonly parameters: Parameters;
  readonly headers: Readonly<Record<string, string>>;
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  readonly upload?: Upload | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file on its way to a storage. PVE wants the length beforehand and the file last. */
export interface Upload {
  readonly fileName: string;
  readonly size: number;
  readonly open: () => Readable;
}

export interface Answer {
  readonly status: number;
  /** The reason phrase: PVE's 401 and 595 say what is wrong nowhere else. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export type Send = (call: Call) => Promise<Answer>;
