import { X509Certificate } from "node:crypto";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { onTestFinished } from "vitest";
import type { Logger } from "#framework";
import { createIdentity, type Identity, toPem } from "../../../../src/plugin/certificate.ts";
import type { Handler } from "../../../../src/plugin/grpc/call.ts";
import { GrpcServer } from "../../../../src/plugin/grpc/server.ts";
import { type Listener, listen } from "../../../../src/plugin/listen.ts";

export const silent: Logger = { error() {}, warn() {}, info() {}, debug() {} };

export interface Served {
  grpc: GrpcServer;
  path: string;
  /** The server's own identity, and the client's that it expects. */
  server: Identity;
  client: Identity;
  /** Resolves when an accepted connection is closed. */
  closed: Promise<void>;
}

/** Methods on a real socket, with mutual TLS unless it is `plain`. */
export async function serveMethods(
  methods: Record<string, Handler>,
  { plain = false, client = createIdentity() } = {},
): Promise<Served> {
  const server = createIdentity();
  const closed = Promise.withResolvers<void>();
  const grpc = new GrpcServer({
    tls: plain ? undefined : { identity: server, clientCertificate: new X509Certificate(client.certificate) },
    connect: () => ({ methods: new Map(Object.entries(methods)), closed: closed.resolve }),
    log: silent,
  });
  const listener = await listenFor(grpc);
  return { grpc, path: listener.address.text, server, client, closed: closed.promise };
}

async function listenFor(grpc: GrpcServer): Promise<Listener> {
  const listener = await listen({}, "linux");
  listener.server.on("connection", (socket) => grpc.accept(socket));
  onTestFinished(() => {
    listener.close();
    void grpc.close(); // not awaited: some tests leave a handler that never ends
  });
  return listener;
}

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** grpc-js as the other side: it shares nothing with the provider's transport but Node's http2. */
export function dial(served: Served, identity: Identity | null = served.client, options: object = {}): Dialled {
  const trust = credentials.createSsl(
    Buffer.from(toPem(served.server.certificate)),
    identity ? Buffer.from(identity.privateKey.export({ type: "pkcs8", format: "pem" })) : null,
    identity ? Buffer.from(toPem(identity.certificate)) : null,
  );
  return new Dialled(`unix:${served.path}`, trust, options);
}

export function dialPlain(served: Served): Dialled {
  return new Dialled(`unix:${served.path}`, credentials.createInsecure(), {});
}

const asIs = (bytes: Buffer) => bytes;

export class Dialled {
  readonly #client: Client;

  constructor(address: string, trust: ReturnType<typeof credentials.createSsl>, options: object) {
    const name = { "grpc.ssl_target_name_override": "localhost", "grpc.default_authority": "localhost" };
    this.#client = new Client(address, trust, { ...unlimited, ...name, ...options });
    onTestFinished(() => this.close());
  }

  close(): void {
    this.#client.close();
  }

  call(path: string, request: Buffer = Buffer.alloc(0)): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const answered = (error: ServiceError | null, answer?: Buffer) => (answer ? resolve(answer) : reject(error));
      this.#client.makeUnaryRequest(path, asIs, asIs, request, answered);
    });
  }

  stream(path: string, request: Buffer = Buffer.alloc(0)) {
    return this.#client.makeServerStreamRequest(path, asIs, asIs, request);
  }
}
