import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext, TLSSocket } from "node:tls";
import { type RequestHandler, serveConnection } from "./connection.ts";

const tlsHandshakeRecord = 0x16;

/** The request that asks for a restart still gets its answer. */
const answerMilliseconds = 100;

export interface Listener {
  readonly port: number;
  /** Drops every connection and refuses new ones for a while. */
  restart(milliseconds: number): void;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly key: string;
  readonly cert: string;
  readonly handle: RequestHandler;
}

/** One port for TLS and, as on a PVE node, for plain HTTP, which is redirected: the first byte decides. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const secureContext = createSecureContext({ key: options.key, cert: options.cert });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    track(socket);
    socket.once("readable", () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) {
        socket.destroy();
        return;
      }
      socket.unshift(first);
      const secure = first[0] === tlsHandshakeRecord;
      const connection = secure ? new TLSSocket(socket, { isServer: true, secureContext }) : socket;
      track(connection);
      // Bun's TLS socket does not know the peer.
      const peer = socket.remoteAddress ?? "";
      void serveConnection({ socket: connection, peer, secure, reset: () => socket.resetAndDestroy() }, options.handle);
    });
  });
  await startListening(server, options);
  const { port } = server.address() as { port: number };
  const stop = async () => {
    const stopped = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) {
      socket.destroy();
    }
    await stopped;
  };
  let isClosed = false;
  return {
    port,
    restart: (milliseconds) =>
      void restart(server, { ...options, port }, { stop, milliseconds, isWanted: () => !isClosed }),
    close: async () => {
      isClosed = true;
      await stop();
    },
  };
}

async function startListening(server: Server, { host, port }: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, resolve);
  });
}

async function restart(
  server: Server,
  options: ListenOptions,
  { stop, milliseconds, isWanted }: { stop(): Promise<void>; milliseconds: number; isWanted(): boolean },
): Promise<void> {
  await sleep(answerMilliseconds);
  await stop();
  await sleep(milliseconds);
  if (isWanted()) {
    await startListening(server, options);
  }
}
