import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Agent, request } from "undici";
import type { Simulator } from "#simulator";
import { makeServerIdentity } from "../../src/simulator/core/http/certificate.ts";

/** A server's response, of which any part may be invalid. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Sends more data as long as the client reads. */
  isEndless?: boolean;
}

/** A proxy between the provider and a correct cluster that tampers: every response passes through `tamper`. */
export interface TamperingProxy {
  readonly url: string;
  readonly caCertificate: string;
  tamper: (reply: Reply) => Reply;
  close(): void;
}

const identity = makeServerIdentity(["localhost", "127.0.0.1"]);

export async function startProxy(simulator: Simulator): Promise<TamperingProxy> {
  const agent = new Agent({ connect: { ca: simulator.caCertificate } });
  const proxy = { tamper: (reply: Reply) => reply };
  const server = createServer({ key: identity.key, cert: identity.cert }, async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const { connection: _, host: __, "content-length": ___, ...headers } = message.headers;
    const answer = await request(new URL(message.url ?? "/", simulator.url), {
      method: (message.method ?? "GET") as "GET",
      headers: headers as Record<string, string>,
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      dispatcher: agent,
    });
    const reply = proxy.tamper({ status: answer.statusCode, headers: {}, body: await answer.body.text() });
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.on("error", () => {});
    if (reply.isEndless) pourInto(response);
    else response.end(reply.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(proxy, {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    caCertificate: identity.cert,
    close() {
      server.closeAllConnections();
      server.close();
      void agent.close();
    },
  });
}

function pourInto(response: {
  write(chunk: string): boolean;
  once(event: "drain", then: () => void): void;
  destroyed: boolean;
}) {
  const chunk = `{"data":"${"x".repeat(65_536)}`;
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", pour);
  };
  pour();
}
