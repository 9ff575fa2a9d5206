import { connect } from "node:net";
import { oncePerRun } from "#kit";

/** How long the endpoint may take to accept a connection. */
const patienceMs = 2000;

/** Where the calls of this process come from, and the port that they go to; null if that cannot be found out. */
export interface OwnConnection {
  readonly address: string;
  readonly port: number;
}

/** The address of this side of a connection to the endpoint. Behind NAT the nodes see another one. */
export const ownConnection = oncePerRun(async (api): Promise<OwnConnection | null> => {
  const [endpoint] = api.settings.endpoints;
  if (endpoint === undefined) return null;
  const port = Number(endpoint.port || 443);
  const address = await localAddress(endpoint.hostname.replace(/^\[|\]$/g, ""), port);
  return address === null ? null : { address: address.replace(/^::ffff:(?=\d+\.)/, ""), port };
});

function localAddress(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: patienceMs });
    const end = (address: string | null) => {
      socket.destroy();
      resolve(address);
    };
    socket.on("connect", () => end(socket.localAddress ?? null));
    socket.on("error", () => end(null));
    socket.on("timeout", () => end(null));
  });
}
