import { createClient, type PveClient } from "../../../src/pve/client.ts";
import type { Logger } from "../../../src/pve/logger.ts";
import { type ClientSettings, resolveSettings } from "../../../src/pve/settings.ts";
import { type Handler, type LocalServer, startLocalServer } from "./local-server.ts";

export const token = "tf@pve!ci=3f6b1f2e-0000-4000-8000-123456789abc";

export interface Line {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A client of a server that responds as `handler` does, with short intervals. */
export async function startLocalClient(handler: Handler, more: ClientSettings = {}): Promise<LocalClient> {
  const server = await startLocalServer(handler);
  const lines: Line[] = [];
  const secrets: string[] = [];
  const note =
    (level: keyof Logger) =>
    (message: string, fields = {}) =>
      void lines.push({ level, message, fields });
  const client = createClient(
    resolveSettings({
      endpoints: [server.url.href],
      caCertificate: server.caCertificate,
      ...(more.username === undefined && more.authTicket === undefined && { apiToken: token }),
      requestTimeoutMs: 5000,
      taskFirstPollMs: 5,
      taskPollMs: 20,
      lockWaitsMs: [1],
      ...more,
    }),
    {
      logger: { error: note("error"), warn: note("warn"), info: note("info"), debug: note("debug") },
      conceal: (secret) => void secrets.push(secret),
    },
  );
  return {
    client,
    server,
    lines,
    secrets,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

export interface LocalClient extends AsyncDisposable {
  readonly client: PveClient;
  readonly server: LocalServer;
  readonly lines: readonly Line[];
  readonly secrets: readonly string[];
}
