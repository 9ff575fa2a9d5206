import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { createInterface } from "node:readline";
import { type ChannelCredentials, credentials } from "@grpc/grpc-js";
import { toPem } from "../../src/plugin/certificate.ts";
import { Wire } from "./wire.ts";

/** How go-plugin marks a process as started by its host; a shared constant, not a secret. */
export const cookie = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

export interface Certificate {
  certificate: string;
  key: string;
}

export interface LaunchOptions {
  /** Without one the connection is not encrypted, as with TF_DISABLE_PLUGIN_TLS. */
  client?: Certificate;
  env?: Record<string, string>;
}

/** A connection to a provider, and the process that serves it. */
export interface Connected {
  wire: Wire;
  process: ChildProcess;
  /** Everything the provider wrote to stderr so far. */
  stderr(): string;
}

/** A provider that Terraform's side of the handshake has started. */
export interface Launched extends Connected {
  address: string;
  /** Terraform's credentials, for further connections. */
  credentials: ChannelCredentials;
  /** PEM; empty without TLS. */
  serverCertificate: string;
  /** Asks it to exit, and returns its exit code. */
  stop(): Promise<number | null>;
}

export async function launch(command: string[], options: LaunchOptions = {}): Promise<Launched> {
  const child = spawnProvider(command, {
    env: {
      ...cookie,
      PLUGIN_PROTOCOL_VERSIONS: "5,6",
      PLUGIN_MIN_PORT: "10000",
      PLUGIN_MAX_PORT: "25000",
      ...(options.client && { PLUGIN_CLIENT_CERT: options.client.certificate }),
      ...options.env,
    },
  });
  const { address, serverCertificate } = parseHandshake(await child.firstLine);
  const trusted = trust(serverCertificate, options.client);
  const wire = new Wire(address, trusted);
  const exited = once(child.process, "exit");
  return {
    wire,
    process: child.process,
    address,
    credentials: trusted,
    serverCertificate,
    stderr: child.stderr,
    async stop() {
      await wire.shutdown();
      wire.close();
      const [code] = await exited;
      return code;
    },
  };
}

interface ProviderProcess {
  readonly process: ChildProcess;
  readonly firstLine: Promise<string>;
  stderr(): string;
}

/** Starts a provider, whose first line on stdout says where it listens. */
export function spawnProvider(
  [program = "", ...args]: readonly string[],
  { env, cwd, stdin = "ignore" }: { env: Record<string, string>; cwd?: string; stdin?: "ignore" | "pipe" },
): ProviderProcess {
  const child = spawn(program, args, {
    stdio: [stdin, "pipe", "pipe"],
    // Otherwise the log would reach the terminal in which the tests run.
    env: { ...process.env, PROXMOX_LOG_PATH: devNull, ...env },
    ...(cwd && { cwd }),
  });
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  return { process: child, firstLine: firstLine(child, () => stderr), stderr: () => stderr };
}

async function firstLine(child: ChildProcess, stderr: () => string): Promise<string> {
  if (!child.stdout) throw new Error("the provider has no stdout");
  const lines = createInterface({ input: child.stdout });
  const line = once(lines, "line").then(([text]) => String(text));
  const exit = once(child, "exit").then(([code]): never => {
    throw new Error(`the provider exited with ${code} before the handshake: ${stderr()}`);
  });
  return Promise.race([line, exit]);
}

/** `1|6|unix|<path>|grpc|<certificate>`, the certificate being bare base64 of its DER form. */
export function parseHandshake(line: string): { address: string; serverCertificate: string } {
  const [core, protocol, network, address, transport, certificate = ""] = line.split("|");
  if (core !== "1" || protocol !== "6" || transport !== "grpc") throw new Error(`not a handshake: ${line}`);
  return {
    address: network === "unix" ? `unix:${address}` : String(address),
    serverCertificate: certificate && toPem(Buffer.from(certificate, "base64")),
  };
}

function trust(serverCertificate: string, client: Certificate | undefined): ChannelCredentials {
  if (!client || !serverCertificate) return credentials.createInsecure();
  return credentials.createSsl(
    Buffer.from(serverCertificate),
    Buffer.from(client.key),
    Buffer.from(client.certificate),
  );
}
