import { request } from "node:https";
import type { Simulator } from "../../../../src/simulator/simulator.ts";

export interface Part {
  readonly name: string;
  /** Makes it the file. */
  readonly filename?: string;
  readonly value: string | Buffer;
}

const boundary = "----part7d1";

function encode(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name, filename, value }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n` +
        `${filename === undefined ? "" : "Content-Type: application/octet-stream\r\n"}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Posts multipart/form-data the way browsers and most libraries do, and gives the status line, the body and what becomes of the connection. */
export async function post(
  simulator: Simulator,
  path: string,
  parts: readonly Part[],
): Promise<[status: string, body: string, connection: string]> {
  const body = encode(parts);
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(`/api2/json${path}`, simulator.url),
      {
        method: "POST",
        ca: simulator.caCertificate,
        agent: false,
        headers: {
          Authorization: `PVEAPIToken=${simulator.tokens["root@pam!admin"]}`,
          "Content-Type": `multipart/form-data; boundary=${boundary}`,
          "Content-Length": body.length,
          Connection: "keep-alive",
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => {
          const answer = Buffer.concat(chunks).toString("utf8");
          resolve([`${incoming.statusCode} ${incoming.statusMessage}`, answer, incoming.headers.connection ?? ""]);
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
