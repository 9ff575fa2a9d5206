import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to the cluster that takes time, and counts who goes it. What passes is encrypted and stays so. */
export interface Wire {
  readonly port: number;
  /** Connections since the last time it was asked. */
  takeConnections(): number;
  close(): void;
}

/** `latencyMs` is there and back again. */
export async function layWire(to: number, latencyMs: number): Promise<Wire> {
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

/** Everything arrives in order and as much later; timers of one length fire in the order they were set. */
function carry(from: Socket, to: Socket, delayMs: number): void {
  const later = (deliver: () => void) => (delayMs === 0 ? deliver() : setTimeout(deliver, delayMs));
  from.on("data", (chunk) => later(() => to.write(chunk)));
  from.on("end", () => later(() => to.end()));
}
