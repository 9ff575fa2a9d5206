import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
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
  const tls = createTlsServer({ key: options.key, cert: options.cert, allowHalfOpen: true }, (socket) => {
    track(socket);
    void serveConnection(socket, true, options.handle);
  });
  tls.on("tlsClientError", (_, socket) => socket.destroy());

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    track(socket);
    socket.once("readable", () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) {
        socket.destroy();
        return;
      }
      socket.unshift(first);
      if (first[0] === tlsHandshakeRecord) {
        tls.emit("connection", socket);
      } else {
        void serveConnection(socket, false, options.handle);
      }
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
