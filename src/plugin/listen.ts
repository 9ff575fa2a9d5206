import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, type Environment, LaunchRefused } from "./handshake.ts";

export interface Listener {
  address: Address;
  server: Server;
  /** Accepts no further connections, and removes the socket file. */
  close(): void;
}

/** The size of the kernel's `sun_path`, without its final zero byte. */
const maxPathLength = process.platform === "darwin" ? 103 : 107;

/** The ports without Terraform's `PLUGIN_MIN_PORT` and `PLUGIN_MAX_PORT`. */
const defaultPorts = { min: 10_000, max: 25_000 };

/** Opens the address that Terraform connects to: a Unix socket, or a local port on Windows. */
export function listen(env: Environment, platform: NodeJS.Platform = process.platform): Promise<Listener> {
  return platform === "win32" ? listenOnPort(env) : listenOnSocket(env);
}

async function listenOnSocket(env: Environment): Promise<Listener> {
  const path = join(env["PLUGIN_UNIX_SOCKET_DIR"] || tmpdir(), `plugin-${randomBytes(6).toString("hex")}`);
  const length = Buffer.byteLength(path);
  if (length > maxPathLength) {
    throw new LaunchRefused(
      `The socket ${path} has a name of ${length} bytes, and this system allows ${maxPathLength}. ` +
        "Set TMPDIR or PLUGIN_UNIX_SOCKET_DIR to a directory with a shorter name.",
    );
  }
  const server = createServer();
  // listen() creates the file, so it never has another mode, not even for a moment.
  const umask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
  await once(server, "listening");
  // Closing the server removes the file; this covers every other way a process can end.
  const remove = () => rmSync(path, { force: true });
  process.once("exit", remove);
  function close(): void {
    server.close();
    process.off("exit", remove);
  }
  return { address: { network: "unix", text: path }, server, close };
}

async function listenOnPort(env: Environment): Promise<Listener> {
  const min = Number(env["PLUGIN_MIN_PORT"] || defaultPorts.min);
  const max = Number(env["PLUGIN_MAX_PORT"] || defaultPorts.max);
  for (let port = min; port <= max; port++) {
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch (error) {
      if (isTaken(error)) continue;
      throw error;
    }
    return { address: { network: "tcp", text: `127.0.0.1:${port}` }, server, close: () => server.close() };
  }
  throw new LaunchRefused(`No port from ${min} to ${max} is free on 127.0.0.1.`);
}

function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EADDRINUSE" || code === "EACCES";
}
