import { type Dispatcher, Pool } from "undici";
import type { Answer, Call } from "./call.ts";
import { encodeForm } from "./encode.ts";
import { Exchange } from "./exchange.ts";
import { multipart } from "./multipart.ts";
import { createConnector, type TlsSettings } from "./tls.ts";

export interface EndpointSettings {
  readonly tls: TlsSettings;
  readonly requestTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly concurrency: number;
  readonly maxAnswerBytes: number;
}

/** One host and its connections: the end of the chain. */
export interface Endpoint {
  /** `https://pve1.example.com:8006` */
  readonly origin: string;
  send(call: Call): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * pveproxy closes a connection after 100 requests and after 5 s of idling, so the client closes it before
 * (AnyEvent.pm).
 */
const requestsPerConnection = 99;
const idleMs = 4000;

/** An upload has no time limit; undici's own timers still detect a stalled one. */
const uploadTimeoutMs = 24 * 60 * 60 * 1000;

export function openEndpoint(url: URL, settings: EndpointSettings): Endpoint {
  const { requestTimeoutMs, maxAnswerBytes } = settings;
  const basePath = url.pathname.replace(/\/+$/, "");
  // The exchange's own deadline comes before undici's, with a better message.
  const silenceMs = requestTimeoutMs + 5000;
  const pool = new Pool(url.origin, {
    allowH2: false,
    bodyTimeout: silenceMs,
    connect: createConnector(settings.tls, settings.connectTimeoutMs),
    connections: settings.concurrency,
    headersTimeout: silenceMs,
    keepAliveMaxTimeout: idleMs,
    keepAliveTimeout: idleMs,
    maxRequestsPerClient: requestsPerConnection,
    pipelining: 1,
  });
  return {
    origin: url.origin,
    send(call) {
      const timeoutMs = call.upload === undefined ? requestTimeoutMs : uploadTimeoutMs;
      const exchange = new Exchange(call, url.origin, { timeoutMs, maxAnswerBytes });
      pool.dispatch(toRequest(basePath, call), exchange);
      return exchange.answer;
    },
    close: () => pool.destroy(),
  };
}

/** GET and DELETE send their parameters in the query, since PVE refuses a body there. */
function toRequest(basePath: string, call: Call): Dispatcher.DispatchOptions {
  const path = `${basePath}${call.isFile ? "" : "/api2/json"}${call.path}`;
  const { method } = call;
  if (call.upload !== undefined) {
    const { headers, body } = multipart(call.parameters, call.upload);
    return { method, path, headers: { ...call.headers, ...headers }, body };
  }
  const form = encodeForm(call.parameters);
  if (method === "GET" || method === "DELETE") {
    return { method, path: form === "" ? path : `${path}?${form}`, headers: call.headers };
  }
  const headers = { ...call.headers, "content-type": "application/x-www-form-urlencoded" };
  return { method, path, headers, body: form };
}
