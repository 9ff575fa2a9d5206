import { connect } from "node:net";

/**
 * Whether a server answers, as the node that tries sees it. Only this machine's own addresses are really tried: every
 * other host is imagined, and answers.
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
