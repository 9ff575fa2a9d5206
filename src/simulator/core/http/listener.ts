import { createServer, type Server, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { type RequestHandler, serveConnection } from "./connection.ts";

const tlsHandshakeRecord = 0x16;

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly key: string;
  readonly cert: string;
  readonly handle: RequestHandler;
}

/** One port for TLS and, as on a PVE node, for plain HTTP that is redirected: the first byte tells which it is. */
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
      void serveConnection({ socket: connection, secure, reset: () => socket.resetAndDestroy() }, options.handle);
    });
  });
  await startListening(server, options);
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
    },
  };
}

async function startListening(server: Server, { host, port }: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, resolve);
  });
}
