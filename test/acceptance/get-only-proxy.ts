import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import type { Simulator } from "#simulator";
import { createIdentity } from "../../src/plugin/certificate.ts";

export interface GetOnly {
  readonly url: string;
  readonly caCertificate: string;
  /** Calls that were not let through: `POST /api2/json/pools`. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

/** Stands before a cluster and lets GET requests through, and nothing else. */
export async function getOnlyProxy({ url, caCertificate }: Simulator): Promise<GetOnly> {
  const { certificate, privateKey } = createIdentity();
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`;
  const refused: string[] = [];
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const server = createServer({ cert: pem, key }, (incoming, answer) => {
    if (incoming.method !== "GET") {
      refused.push(`${incoming.method} ${incoming.url}`);
      answer.writeHead(405).end();
      return;
    }
    const { headers } = incoming;
    const forwarded = request(
      new URL(incoming.url ?? "/", url),
      { method: "GET", headers, ca: caCertificate },
      (real) => {
        answer.writeHead(real.statusCode ?? 500, real.statusMessage, real.headers);
        real.pipe(answer);
      },
    );
    forwarded.on("error", () => answer.destroy());
    forwarded.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    caCertificate: pem,
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
