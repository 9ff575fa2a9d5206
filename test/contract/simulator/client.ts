import { request } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Simulator } from "../../../src/simulator/simulator.ts";

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body; undefined if it is no JSON. */
  readonly body: { data?: unknown; message?: string; errors?: Record<string, string>; [more: string]: unknown };
}

export interface CallOptions {
  /** Full token id; root's unless given, `null` for none. */
  readonly token?: string | null;
  readonly form?: Record<string, string | number>;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

export const rootToken = "root@pam!admin";

/** One call on a connection of its own. Paths that do not start with /api2 or /simulator are below /api2/json. */
export async function call(
  simulator: Simulator,
  method: string,
  path: string,
  { token = rootToken, form, json, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const body = form === undefined ? (json === undefined ? undefined : JSON.stringify(json)) : encodeForm(form);
  const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded";
  const url = new URL(/^\/(?:api2|simulator)/.test(path) ? path : `/api2/json${path}`, simulator.url);
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        ca: simulator.caCertificate,
        agent: false,
        headers: {
          ...(token === null ? {} : { Authorization: `PVEAPIToken=${simulator.tokens[token] ?? token}` }),
          ...(body === undefined ? {} : { "Content-Type": type, "Content-Length": Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const { statusCode: status = 0, statusMessage: reason = "", headers: received } = incoming;
          resolve({ status, reason, headers: received, text, body: parsed(text) });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function encodeForm(form: Record<string, string | number>): string {
  return Object.entries(form)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

function parsed(text: string): Answer["body"] {
  try {
    return JSON.parse(text) as Answer["body"];
  } catch {
    return {};
  }
}

/** A bare connection: what is written goes out as it is, and everything that comes back until the end is kept. */
export class RawConnection {
  readonly #socket: Socket;
  #received = "";
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", end);
  }

  static async open(simulator: Simulator, kind: "tls" | "plain" = "tls"): Promise<RawConnection> {
    const { hostname: host, port } = new URL(simulator.url);
    const options = { host, port: Number(port) };
    const socket = kind === "tls" ? connectTls({ ...options, ca: simulator.caCertificate }) : connectPlain(options);
    await new Promise((resolve, reject) => {
      socket.once(kind === "tls" ? "secureConnect" : "connect", resolve);
      socket.once("error", reject);
    });
    return new RawConnection(socket);
  }

  /** Sends lines, adding the line ends and the blank line, then a body. */
  send(lines: readonly string[], body = ""): void {
    this.#socket.write(`${[...lines, "", ""].join("\r\n")}${body}`);
  }

  /** The next whole answer: head and body by its Content-Length. */
  async answer(): Promise<string> {
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      if (end >= 0) {
        const length = Number(/content-length: (\d+)/i.exec(this.#received.slice(0, end))?.[1] ?? 0);
        const whole = end + 4 + length;
        if (this.#received.length >= whole) {
          const answer = this.#received.slice(0, whole);
          this.#received = this.#received.slice(whole);
          return answer;
        }
      }
      if (this.#ended) {
        return this.#received;
      }
      await this.#more();
    }
  }

  /** Resolves when the server has ended the connection. */
  async ended(): Promise<void> {
    while (!this.#ended) {
      await this.#more();
    }
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #more(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
