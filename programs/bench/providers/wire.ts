import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy to the cluster that adds latency and counts connections. The traffic stays encrypted. */
export interface Wire {
  readonly port: number;
  /** Connections since the last call of this function. */
  takeConnections(): number;
  close(): void;
}

/** `latencyMs` is the round trip. */
export async function startDelayProxy(to: number, latencyMs: number): Promise<Wire> {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    connections++;
    const far = connect({ port: to, host: "127.0.0.1", noDelay: true });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket)).on("error", () => socket.destroy());
    }
    carry(near, far, latencyMs / 2);
    carry(far, near, latencyMs / 2);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    takeConnections() {
      const count = connections;
      connections = 0;
      return count;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Data arrives in order with the same delay; timers of equal length fire in the order in which they were set. */
function carry(from: Socket, to: Socket, delayMs: number): void {
  const later = (deliver: () => void) => (delayMs === 0 ? deliver() : setTimeout(deliver, delayMs));
  from.on("data", (chunk) => later(() => to.write(chunk)));
  from.on("end", () => later(() => to.end()));
}
