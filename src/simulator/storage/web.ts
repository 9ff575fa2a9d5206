import { createHash, type Hash } from "node:crypto";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { FileContent, ReceivedFile } from "./files.ts";

/*
 * The Internet as a simulated node sees it. Files on the loopback of this machine are really downloaded; all other
 * hosts are simulated and have every requested file, since a simulator must not open connections. Names that cannot be
 * resolved, those without a dot and those below `.invalid` (RFC 6761), do not exist here either.
 */

export interface WebResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly file: ReceivedFile;
}

/** The server could not be reached: `message` has wget's text, `cause` the system's. */
export class Unreachable extends Error {}

const algorithms = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
const headBytes = 4096;
const redirects = 20;
const GiB = 2 ** 30;

/** The files of simulated servers. A cloud image contains a disk of 3.5 GiB, as Ubuntu's does. */
const simulatedFiles: Record<FileContent, { readonly size: number; readonly disk?: number }> = {
  iso: { size: Math.round(0.7 * GiB) },
  vztmpl: { size: Math.round(0.125 * GiB) },
  import: { size: Math.round(0.6 * GiB), disk: 3.5 * GiB },
};

function isLoopback(url: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
}

function isUnknownName(host: string): boolean {
  return host !== "localhost" && (!/[.:]/.test(host) || host.endsWith(".invalid"));
}

export async function request(
  method: "GET" | "HEAD",
  address: string,
  { content, verify }: { content: FileContent; verify: boolean },
): Promise<WebResponse> {
  let url = new URL(address);
  if (isUnknownName(url.hostname)) {
    const cause = "Name or service not known";
    throw new Unreachable(`wget: unable to resolve host address ‘${url.hostname}’`, { cause });
  }
  for (let hop = 0; hop < redirects && isLoopback(url); hop++) {
    const response = await send(method, url, verify);
    const { location } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === undefined) {
      return response;
    }
    url = new URL(location, url);
  }
  return simulatedResponse(content, url);
}

function send(method: string, url: URL, verify: boolean): Promise<WebResponse> {
  const options = { method, rejectUnauthorized: verify };
  return new Promise((resolve, reject) => {
    const sent = url.protocol === "https:" ? requestHttps(url, options) : requestHttp(url, options);
    sent.on("response", (message) => receive(message).then(resolve, reject));
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const port = url.port || (url.protocol === "https:" ? "443" : "80");
      const reason = error.code === "ECONNREFUSED" ? "Connection refused" : error.message;
      reject(new Unreachable(`Connecting to ${url.hostname}:${port}... failed: ${reason}.`, { cause: reason }));
    });
    sent.end();
  });
}

async function receive(message: IncomingMessage): Promise<WebResponse> {
  const hashes = new Map<string, Hash>(algorithms.map((name) => [name, createHash(name)]));
  let size = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (head.length < headBytes) {
      head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
    }
    for (const hash of hashes.values()) {
      hash.update(chunk);
    }
  }
  const checksums = Object.fromEntries([...hashes].map(([name, hash]) => [name, hash.digest("hex")]));
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
  return {
    status: message.statusCode ?? 0,
    reason: message.statusMessage ?? "",
    headers,
    file: { size, head, checksums },
  };
}

/** The kind of file at an address. */
function kindOf({ pathname }: URL): FileContent {
  if (/\.(?:qcow2|raw|vmdk|ova)$/.test(pathname)) {
    return "import";
  }
  return /\.(?:tar|tgz|t?(?:gz|xz|zst|bz2))$/.test(pathname) ? "vztmpl" : "iso";
}

/** An address always has the same file. Its checksums are unknown, so every expected value is accepted. */
function simulatedResponse(content: FileContent, url: URL): WebResponse {
  const { size } = simulatedFiles[kindOf(url)];
  const { disk } = simulatedFiles[content];
  const head = Buffer.alloc(32);
  if (disk !== undefined && url.pathname.endsWith(".vmdk")) {
    head.write("KDMV", "latin1");
    head.writeBigUInt64LE(BigInt(disk / 512), 12);
  } else if (disk !== undefined && !url.pathname.endsWith(".ova")) {
    head.writeUInt32BE(0x514649fb);
    head.writeUInt32BE(3, 4);
    head.writeBigUInt64BE(BigInt(disk), 24);
  }
  const headers = { "content-length": String(size), "content-type": "application/octet-stream" };
  return { status: 200, reason: "OK", headers, file: { size, head, checksums: {} } };
}
