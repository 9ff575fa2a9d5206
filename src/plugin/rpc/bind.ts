import type { Logger } from "#framework";
import type { Handler } from "../grpc/call.ts";
import { GrpcError, Status } from "../grpc/status.ts";
import { decode } from "../protobuf/decode.ts";
import { encode } from "../protobuf/encode.ts";
import type { Method, MethodKind, Service } from "../protobuf/service.ts";

/**
 * The handlers of a service: a function for each of its methods, so that a missing method is a type error. Each
 * receives a context (for Terraform's service the `ProviderServer`), the request and the signal of the call.
 */
export type Handlers<S extends Service, Context> = { [Name in keyof S]: HandlerOf<S[Name], Context> | "unimplemented" };

type HandlerOf<M, Context> =
  M extends Method<infer Request, infer Response, infer Kind>
    ? (context: Context, request: Request, signal: AbortSignal) => Reply<Response, Kind>
    : never;

type Reply<Response, Kind> = Kind extends "unary" ? Promise<Response> : AsyncIterable<Response>;

type AnyHandler<Context> = (context: Context, request: object, signal: AbortSignal) => Reply<object, MethodKind>;

/** Connects handlers, which use messages, to a transport, which uses bytes. */
export function bind<S extends Service, Context>(
  service: S,
  handlers: Handlers<S, Context>,
  open: () => Context | Promise<Context>,
  log: Logger,
): [path: string, Handler][] {
  return Object.entries(service).flatMap(([name, method]) => {
    const handler = handlers[name];
    if (handler === undefined || handler === "unimplemented") return [];
    return [[method.path, reported(bindMethod(method, handler as AnyHandler<Context>, open), method.path, log)]];
  });
}

function bindMethod<Context>(
  method: Method<object, object, MethodKind>,
  handler: AnyHandler<Context>,
  open: () => Context | Promise<Context>,
): Handler {
  return async function* (bytes, signal) {
    const request = decode(method.request, bytes);
    const reply = handler(await open(), request, signal);
    if (Symbol.asyncIterator in reply) {
      for await (const message of reply) yield encode(method.response, message);
    } else {
      yield encode(method.response, await reply);
    }
  };
}

/** Every failure is logged with its stack, and reaches Terraform as an INTERNAL error; the process continues. */
export function reported(handler: Handler, path: string, log: Logger): Handler {
  const rpc = path.slice(path.lastIndexOf("/") + 1);
  return async function* (request, signal) {
    const start = performance.now();
    try {
      yield* handler(request, signal);
      log.debug(`${rpc} answered`, { rpc, duration_ms: Math.round(performance.now() - start) });
    } catch (error) {
      // How a cancelled call ends is not reported: its client cancelled it.
      if (signal.aborted) throw new GrpcError(Status.cancelled, `${rpc} was cancelled`);
      log.error(`${rpc} failed`, { rpc, error: error instanceof Error ? error.stack : String(error) });
      throw new GrpcError(Status.internal, `${rpc}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}
