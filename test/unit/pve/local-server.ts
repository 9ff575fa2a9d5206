import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeServerIdentity } from "../../../src/simulator/core/http/certificate.ts";

/**
 * A real HTTPS server that sends exactly what a test specifies. Neither msw's `setupServer` nor undici's MockAgent
 * works here: the first does not see requests of undici's own pools, the second replaces the sockets, whose handling
 * (keep-alive, resets, TLS) is half of what is tested.
 */
export interface LocalServer {
  readonly url: URL;
  readonly caCertificate: string;
  readonly fingerprint: string;
  readonly requests: Received[];
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The number of its connection, from 1. */
  readonly connection: number;
}

export interface Reply {
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Returns the reply, or handles the response itself. */
export type Handler = (request: Received, response: ServerResponse) => Reply | "handled" | Promise<Reply | "handled">;

export function json(data: unknown, more: object = {}): Reply {
  return { body: JSON.stringify({ data, ...more }) };
}

/** A refusal in PVE's form: status, reason phrase = first line of the message, connection closed. */
export function refusal(status: number, message: string, errors?: Record<string, string>): Reply {
  return {
    status,
    reason: message.split("\n")[0] ?? "",
    headers: { connection: "close" },
    body: JSON.stringify({ data: null, message: `${message}\n`, ...(errors && { errors }) }),
  };
}

const identity = makeServerIdentity(["localhost", "127.0.0.1"]);

export async function startLocalServer(handler: Handler): Promise<LocalServer> {
  const requests: Received[] = [];
  const numbers = new WeakMap<object, number>();
  let connections = 0;
  const server = createServer(
    { key: identity.key, cert: identity.cert, keepAliveTimeout: 5000 },
    async (message, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of message) {
        chunks.push(chunk as Buffer);
      }
      const received: Received = {
        method: message.method ?? "",
        url: message.url ?? "",
        headers: message.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        connection: numbers.get(message.socket) ?? 0,
      };
      requests.push(received);
      const reply = await handler(received, response);
      if (reply !== "handled") {
        response.writeHead(reply.status ?? 200, reply.reason ?? "OK", reply.headers);
        response.end(reply.body ?? "");
      }
    },
  );
  server.on("secureConnection", (socket) => {
    connections += 1;
    numbers.set(socket, connections);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
    caCertificate: identity.caCertificate,
    fingerprint: new X509Certificate(identity.cert).fingerprint256,
    requests,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
