import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

const timeoutMs = 10_000;

function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * The error that LWP::UserAgent reports for a service at that address; undefined if it answers. Services on the
 * loopback of this machine are really contacted. All other hosts are simulated and answer, except names that cannot be
 * resolved: those without a dot and those below `.invalid` (RFC 6761).
 */
export async function serviceProblem(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return "400 URL must be absolute";
  }
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const unreachable = (reason: string) => `500 Can't connect to ${url.hostname}:${port} (${reason})`;
  if (url.hostname !== "localhost" && (!/[.:]/.test(url.hostname) || url.hostname.endsWith(".invalid"))) {
    return unreachable("Name or service not known");
  }
  if (!isLoopback(url)) {
    return undefined;
  }
  const answer = await ask(url, headers);
  if (answer instanceof Error) {
    return unreachable(
      (answer as NodeJS.ErrnoException).code === "ECONNREFUSED" ? "Connection refused" : answer.message,
    );
  }
  return answer.status >= 200 && answer.status < 300 ? undefined : `${answer.status} ${answer.reason || "unknown"}`;
}

function ask(url: URL, headers: Readonly<Record<string, string>>): Promise<{ status: number; reason: string } | Error> {
  return new Promise((resolve) => {
    const options = { headers, timeout: timeoutMs };
    const sent: ClientRequest =
      url.protocol === "https:"
        ? requestHttps(url, { ...options, rejectUnauthorized: false })
        : requestHttp(url, options);
    sent.on("response", (message) => {
      message.resume();
      resolve({ status: message.statusCode ?? 0, reason: message.statusMessage ?? "" });
    });
    sent.on("timeout", () => sent.destroy(new Error("Connection timed out")));
    sent.on("error", resolve);
    sent.end();
  });
}
