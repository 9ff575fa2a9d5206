import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectPlain } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { Provider } from "../../src/plugin/gen/tfplugin6.ts";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import { type Certificate, type Launched, launch } from "../../test/harness/index.ts";
import { Dice } from "../chaos/dice.ts";
import { providerCommand } from "./provider-command.ts";

const paths = Object.values(Provider).map(({ path }) => path);

/** A provider whose socket receives arbitrary data, with and without Terraform's certificate. */
export class FuzzedProvider {
  readonly #launched: Launched;
  readonly #client: Certificate;
  #session: ClientHttp2Session | undefined;

  private constructor(launched: Launched, client: Certificate) {
    this.#launched = launched;
    this.#client = client;
  }

  static async open(): Promise<FuzzedProvider> {
    const client = clientCertificate();
    const provider = new FuzzedProvider(await launch([...providerCommand], { client }), client);
    // It runs as long as Terraform is connected, so a client must be.
    await provider.health();
    return provider;
  }

  /** Sends one malformed message, and waits until it is answered or refused. */
  async attack(seed: number): Promise<void> {
    const dice = new Dice(seed);
    if (dice.chance(0.2)) await this.#garbage(dice);
    else await this.#nonsense(dice);
  }

  /** Bytes that are not TLS. */
  #garbage(dice: Dice): Promise<void> {
    return new Promise((resolve) => {
      const socket = connectPlain({ path: this.#path });
      socket.on("error", () => {}).on("close", () => resolve());
      socket.end(bytes(dice, dice.int(0, 2_000)));
      socket.setTimeout(2_000, () => socket.destroy());
    });
  }

  /** A call of some method, known or not, with a malformed message. */
  async #nonsense(dice: Dice): Promise<void> {
    // One connection for all: the provider ends with the connection that it was started for.
    this.#session ??= await this.#connect();
    const session = this.#session;
    if (session.closed || session.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        session.off("close", done);
        resolve();
      };
      // An aborted session may not notify its streams.
      session.once("close", done);
      const stream = session.request({
        ":method": dice.pick(["POST", "POST", "POST", "GET", "PUT"]),
        ":path": dice.chance(0.9) ? dice.pick(paths) : `/${dice.int(0, 99)}/../x`,
        "content-type": dice.pick(["application/grpc", "application/grpc", "text/plain"]),
        te: "trailers",
      });
      stream.on("error", () => {}).on("close", done);
      stream.setTimeout(5_000, () => stream.close());
      stream.resume();
      stream.end(message(dice));
      if (dice.chance(0.1)) stream.close();
    });
  }

  #connect(): Promise<ClientHttp2Session> {
    const { certificate: cert, key } = this.#client;
    const ca = this.#launched.serverCertificate;
    return new Promise((resolve, reject) => {
      const session = connect("https://localhost", {
        createConnection: () =>
          connectTls({
            path: this.#path,
            ca,
            cert,
            key,
            ALPNProtocols: ["h2"],
            servername: "localhost",
          }),
      });
      session.on("error", reject).on("connect", () => resolve(session));
    });
  }

  get #path(): string {
    return this.#launched.address.replace(/^unix:/, "");
  }

  /**
   * Whether it still works; if not, how it ended. 0 is correct: Node aborts a connection with too much malformed data,
   * which the provider takes for Terraform's end.
   */
  async health(): Promise<"sound" | "stuck" | number | NodeJS.Signals> {
    const { process: child } = this.#launched;
    if (child.exitCode === null && child.signalCode === null && !this.#session?.closed) {
      const metadata = await this.#launched.wire.call("GetMetadata", {}).catch(() => null);
      if (metadata !== null) return (metadata as { resources: unknown[] }).resources.length > 0 ? "sound" : "stuck";
    }
    const ended = () => child.exitCode ?? child.signalCode;
    if (ended() === null) await Promise.race([once(child, "exit"), sleep(5_000)]);
    return ended() ?? "stuck";
  }

  get stderr(): string {
    return this.#launched.stderr();
  }

  async close(): Promise<void> {
    this.#session?.destroy();
    // It may be ending already.
    if (this.#launched.process.exitCode === null) await this.#launched.stop().catch(() => {});
  }
}

/** A frame whose length may be wrong, with content that may be a message by chance. */
function message(dice: Dice): Buffer {
  const body = bytes(dice, dice.pick([0, 1, 5, 50, 500, 5_000]));
  const head = Buffer.alloc(5);
  head[0] = dice.pick([0, 0, 0, 1, 255]);
  head.writeUInt32BE(dice.pick([body.length, body.length, 0, body.length + 1, 0xffffffff]), 1);
  return Buffer.concat([head, body]);
}

function bytes(dice: Dice, length: number): Buffer {
  const kind = dice.int(0, 2);
  // Random bytes are seldom a field; valid tags and lengths lead deeper.
  if (kind === 0) return Buffer.from(Array.from({ length }, () => dice.int(0, 255)));
  if (kind === 1) return Buffer.alloc(length, dice.pick([0x0a, 0x12, 0x08, 0xff]));
  return Buffer.from(
    Array.from({ length }, (_, index) => (index % 4 === 0 ? dice.pick([0x0a, 0x12, 0x1a, 0x22]) : dice.int(0, 40))),
  );
}
