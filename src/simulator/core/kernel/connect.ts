import { connect } from "node:net";

/**
 * Whether a server refuses connections. Only addresses of this machine are really tried: all other hosts are simulated,
 * and accept.
 */
export async function isConnectionRefused(host: string, port: number): Promise<boolean> {
  if (!/^(127\.|localhost$|\[?::1\]?$)/.test(host)) {
    return false;
  }
  return await new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ""), port, timeout: 1000 });
    const end = (isRefused: boolean) => {
      socket.destroy();
      resolve(isRefused);
    };
    socket.on("connect", () => end(false));
    socket.on("timeout", () => end(true));
    socket.on("error", () => end(true));
  });
}
