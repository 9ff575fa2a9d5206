import type { X509Certificate } from "node:crypto";
import type {
  Http2SecureServer,
  Http2Server,
  IncomingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Logger } from "#framework";
import { type Identity, toPem } from "../certificate.ts";
import { Call, type Handler } from "./call.ts";
import { GrpcError, Status } from "./status.ts";

const megabyte = 1024 * 1024;

/**
 * More than the longest message (`frames.ts`), so that a message never waits for an update of its stream's window: Bun 1.4
 * sends one only after half of the connection's window, and a client that has used up a smaller one waits forever (decision 030).
 */
const streamWindow = 512 * megabyte;
const connectionWindow = 64 * megabyte;

const sessionOptions = {
  settings: { initialWindowSize: streamWindow },
  /** In megabytes. Node's default of 10 would refuse new calls while one large value is in flight. */
  maxSessionMemory: 4096,
};

/** The handlers of one connection, and a callback for its end. */
export interface Connection {
  /** By path: `/package.Service/Method`. */
  methods: ReadonlyMap<string, Handler>;
  closed(): void;
}

/** The server's identity, and the one client certificate that it accepts. */
export interface MutualTls {
  identity: Identity;
  clientCertificate: X509Certificate;
}

export interface GrpcServerOptions {
  /** Absent: plain HTTP/2. */
  tls: MutualTls | undefined;
  /** Called for each accepted connection. */
  connect(): Connection;
  log: Logger;
}

/**
 * gRPC over node:http2. The rest of the layer uses this class and `Handler`, and no header, frame or stream, so another
 * transport can replace this folder.
 */
export class GrpcServer {
  readonly #options: GrpcServerOptions;
  readonly #http2: Http2Server | Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #calls = new Map<Call, Promise<void>>();

  constructor(options: GrpcServerOptions) {
    this.#options = options;
    this.#http2 = createHttp2Server(options.tls);
    this.#http2.on("session", (session) => this.#admit(session));
    this.#http2.on("sessionError", (error) => options.log.debug("a connection failed", { error: String(error) }));
    this.#http2.on("tlsClientError", (error) => options.log.warn("a connection was refused", { error: String(error) }));
  }

  /** Serves a connection that a listener has accepted. */
  accept(socket: Socket): void {
    this.#http2.emit("connection", socket);
  }

  /** Ends every open call with this error, and drops its handler. */
  fail(error: GrpcError): void {
    for (const call of this.#calls.keys()) call.finish(error);
    this.#calls.clear();
  }

  /**
   * Cancels the calls in progress, lets them respond, and accepts no new ones. Resolves when every response is sent.
   */
  async close(): Promise<void> {
    if (this.#calls.size === 0) {
      // The last response, to the call that requested the shutdown, is written in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      return;
    }
    const closed = [...this.#sessions].map((session) => new Promise((resolve) => session.once("close", resolve)));
    for (const session of this.#sessions) session.close();
    for (const call of this.#calls.keys()) call.cancel();
    await Promise.all(this.#calls.values());
    await Promise.all(closed);
  }

  #admit(session: ServerHttp2Session): void {
    const { tls, connect, log } = this.#options;
    const refusal = tls && refusalReason(peerCertificate(session), tls.clientCertificate);
    if (refusal) {
      log.warn("a connection was refused", { error: refusal });
      session.destroy();
      return;
    }
    const connection = connect();
    this.#sessions.add(session);
    session.setLocalWindowSize(connectionWindow);
    session.on("stream", (stream, headers) => this.#begin(stream, headers, connection));
    session.once("close", () => {
      this.#sessions.delete(session);
      connection.closed();
    });
  }

  #begin(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Connection): void {
    const call = new Call(stream);
    if (!headers["content-type"]?.startsWith("application/grpc")) {
      call.refuse(415);
      return;
    }
    const path = headers[":path"] ?? "";
    const handler = connection.methods.get(path);
    if (!handler) {
      call.finish(new GrpcError(Status.unimplemented, `unknown method ${path}`));
      return;
    }
    const running = call.run(handler).finally(() => this.#calls.delete(call));
    this.#calls.set(call, running);
  }
}

function createHttp2Server(tls: MutualTls | undefined): Http2Server | Http2SecureServer {
  // Imported late: it takes longer to load than everything else, and Terraform can read the handshake in the meantime.
  const http2 = process.getBuiltinModule("node:http2");
  if (!tls) return http2.createServer(sessionOptions);
  return http2.createSecureServer({
    ...sessionOptions,
    key: tls.identity.privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: toPem(tls.identity.certificate),
    requestCert: true,
    // Exactly one certificate is accepted, and `#admit` checks it; the TLS handshake proves possession of its key.
    // Authorities would admit everything else that they have signed, and to load the first one Node reads its own 140,
    // which takes 10 ms.
    ca: [],
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
  });
}

function refusalReason(shown: X509Certificate | undefined, expected: X509Certificate): string | undefined {
  if (!shown) return "it sent no certificate";
  if (!shown.raw.equals(expected.raw)) return "its certificate is not the one that Terraform announced";
  const now = Date.now();
  const isValid = shown.validFromDate.getTime() <= now && now <= shown.validToDate.getTime();
  return isValid ? undefined : "its certificate is not valid now";
}

function peerCertificate(session: ServerHttp2Session): X509Certificate | undefined {
  return (session.socket as TLSSocket).getPeerX509Certificate();
}
