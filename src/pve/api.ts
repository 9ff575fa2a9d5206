import type * as z from "zod";
import type { Call, Method, Parameters, Send, Upload } from "./transport/call.ts";
import { expandPath, type PathValues } from "./transport/encode.ts";
import { type Parsed, parseAnswer } from "./transport/parse-answer.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** For calls that change something. */
export interface WriteOptions extends CallOptions {
  /** Sending it twice has the same effect as sending it once, so it is sent again if the response was lost. */
  readonly isRepeatable?: boolean;
}

/** Values for the placeholders of the path, and the other parameters of the call, in one object. */
export type Given<T extends string> = PathValues<T> & Parameters;

/** Calls by path template: the interface that the endpoint files use. */
export interface Api {
  /** The text of a file of the host's web server, outside the API. */
  file(path: string, options?: CallOptions): Promise<string>;
  get<T extends string, S extends z.ZodType>(
    path: T,
    given: Given<T>,
    answer: S,
    options?: CallOptions,
  ): Promise<z.infer<S>>;
  /** A list that may be truncated, with the total number. */
  page<T extends string, S extends z.ZodType>(
    path: T,
    given: Given<T>,
    answer: S,
    options?: CallOptions,
  ): Promise<Parsed<z.infer<S>>>;
  post<T extends string, S extends z.ZodType>(
    path: T,
    given: Given<T>,
    answer: S,
    options?: WriteOptions & { readonly upload?: Upload },
  ): Promise<z.infer<S>>;
  put<T extends string, S extends z.ZodType>(
    path: T,
    given: Given<T>,
    answer: S,
    options?: WriteOptions,
  ): Promise<z.infer<S>>;
  delete<T extends string, S extends z.ZodType>(
    path: T,
    given: Given<T>,
    answer: S,
    options?: WriteOptions,
  ): Promise<z.infer<S>>;
}

export function createApi(send: Send): Api {
  async function request<S extends z.ZodType>(
    method: Method,
    template: string,
    given: Parameters,
    schema: S,
    { signal, upload, isRepeatable = method === "GET" }: WriteOptions & { readonly upload?: Upload } = {},
  ): Promise<Parsed<z.infer<S>>> {
    const { path, parameters } = expandPath(template, given);
    const call: Call = {
      method,
      template,
      path,
      parameters,
      headers: {},
      isRepeatable,
      signal,
      upload,
    };
    return parseAnswer(call, await send(call), schema);
  }
  return {
    async file(path, { signal } = {}) {
      const request = { method: "GET", template: path, path, parameters: {}, headers: {} } as const;
      const { body } = await send({ ...request, isRepeatable: true, isFile: true, signal });
      return body.toString("utf8");
    },
    get: async (path, given, answer, options) => (await request("GET", path, given, answer, options)).data,
    page: (path, given, answer, options) => request("GET", path, given, answer, options),
    post: async (path, given, answer, options) => (await request("POST", path, given, answer, options)).data,
    put: async (path, given, answer, options) => (await request("PUT", path, given, answer, options)).data,
    delete: async (path, given, answer, options) => (await request("DELETE", path, given, answer, options)).data,
  };
}
