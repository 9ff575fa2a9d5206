import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect, isIP } from "node:net";
import { type Check, failed, ok } from "../check.ts";

const timeoutMs = 5000;

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

export const portOf = (url: URL): number => Number(url.port || 443);

/** Whether the endpoint's name can be resolved. */
export const name = (url: URL | undefined): Check => ({
  id: "name",
  subject: url?.origin,
  needs: ["settings"],
  async look() {
    const host = hostOf(url as URL);
    if (isIP(host)) return ok(`${host} is an address, so no lookup is needed`);
    try {
      const found = await lookup(host, { all: true });
      return ok(`${host} is ${found.map(({ address }) => address).join(", ")}`);
    } catch (thrown) {
      const isUnknown = (thrown as NodeJS.ErrnoException).code === "ENOTFOUND";
      return failed(
        isUnknown ? `${host} cannot be resolved on this machine` : `the name server does not answer for ${host}`,
        `Check the spelling in PROXMOX_VE_ENDPOINT, and try \`getent hosts ${host}\`.`,
        "For a host without a name, use its address or add a line to /etc/hosts.",
      );
    }
  },
});

/** Whether the server accepts connections. */
export const connection = (url: URL | undefined): Check => ({
  id: "connection",
  subject: url?.origin,
  needs: ["name"],
  async look() {
    const [host, port] = [hostOf(url as URL), portOf(url as URL)];
    const began = performance.now();
    const socket = connect({ host, port, signal: AbortSignal.timeout(timeoutMs) });
    try {
      await once(socket, "connect");
      return ok(`port ${port} accepts connections, after ${Math.ceil(performance.now() - began)} ms`);
    } catch (thrown) {
      const { code, name: kind } = thrown as NodeJS.ErrnoException;
      return code === "ECONNREFUSED"
        ? failed(
            `nothing listens on port ${port} of ${host}`,
            "Proxmox VE listens on port 8006, unless it is behind a proxy: is the port in PROXMOX_VE_ENDPOINT?",
            "On the host: `systemctl status pveproxy`.",
          )
        : failed(
            `${host}, port ${port}, cannot be reached: ${kind === "AbortError" ? `no answer in ${timeoutMs / 1000} s` : code}`,
            "Something between this machine and the host drops the connection: a firewall, a missing route, a VPN that is down.",
          );
    } finally {
      socket.destroy();
    }
  },
});
