import { writeSync } from "node:fs";
import type { Logger, ProviderServer } from "#framework";
import { createIdentity } from "./certificate.ts";
import { type Connection, GrpcServer, type MutualTls } from "./grpc/server.ts";
import { GrpcError, Status } from "./grpc/status.ts";
import { type Environment, handshakeLine, LaunchRefused, readLaunch } from "./handshake.ts";
import { Instance } from "./instance.ts";
import { Lifetime } from "./lifetime.ts";
import { type Listener, listen } from "./listen.ts";
import { reattachLine } from "./reattach.ts";
import { type ClientEvents, pluginMethods } from "./rpc/go-plugin.ts";
import type { PreparedAnswers } from "./rpc/schema.ts";
import { providerMethods } from "./rpc/terraform.ts";

export interface ServeOptions {
  /** The provider's source address, such as `registry.terraform.io/namespace/name`. */
  address: string;
  /**
   * Creates a provider for one connection when its first call needs one, so that its imports do not delay the
   * handshake.
   */
  createServer(): ProviderServer | Promise<ProviderServer>;
  log: Logger;
  /** The result of `encodeAnswers` from build time. Default: the provider answers. */
  preparedAnswers?: PreparedAnswers;
  /** Default: this process's. */
  argv?: readonly string[];
  env?: Environment;
}

/** go-plugin kills a process that still runs two seconds after the shutdown request; this uses half of that time. */
const endWithin = 1_000;

/**
 * Serves Terraform until Terraform disconnects, and resolves to the exit code; the caller then ends the process, since
 * other things may keep it alive. With `--debug` it serves every client that attaches, without TLS, until it is
 * interrupted.
 */
export async function serve({ log, ...given }: ServeOptions): Promise<number> {
  const options = { ...given, log: unfailing(log) };
  const { argv = process.argv.slice(2), env = process.env } = options;
  try {
    return argv.includes("--debug") ? await serveAttached(options, env) : await serveLaunched(options, env);
  } catch (error) {
    if (!(error instanceof LaunchRefused)) throw error;
    writeSync(2, `${error.message}\n`);
    return 1;
  }
}

/** Started by Terraform, for one connection. */
async function serveLaunched(options: ServeOptions, env: Environment): Promise<number> {
  const { clientCertificate } = readLaunch(env);
  const lifetime = new Lifetime();
  lifetime.watchSignals("ignore");
  const connected = lifetime.watchParent();
  const tls = clientCertificate && { clientCertificate, identity: createIdentity() };
  const listener = await listen(env);
  writeSync(1, handshakeLine(listener.address, tls?.identity.certificate));
  return run(options, lifetime, listener, tls, {
    connected,
    shutdown: () => lifetime.end("Terraform requested it"),
    gone: () => lifetime.end("Terraform has disconnected"),
  });
}

/** Started for debugging; Terraform may connect several times. */
async function serveAttached(options: ServeOptions, env: Environment): Promise<number> {
  const lifetime = new Lifetime();
  lifetime.watchSignals("end");
  const listener = await listen(env);
  writeSync(1, reattachLine(options.address, listener.address));
  const nothing = () => {};
  return run(options, lifetime, listener, undefined, { connected: nothing, shutdown: nothing, gone: nothing });
}

interface ConnectionEvents extends ClientEvents {
  connected(): void;
}

async function run(
  options: ServeOptions,
  lifetime: Lifetime,
  listener: Listener,
  tls: MutualTls | undefined,
  client: ConnectionEvents,
): Promise<number> {
  const { log } = options;
  const instances = new Set<Instance>();
  /** Those whose connection is closed, and which have not ended yet. */
  const leaving = new Set<Instance>();

  /** Each connection has its own provider: in one attached process, aliases must not share a configuration. */
  function connect(): Connection {
    client.connected();
    const instance = new Instance(options.createServer);
    instances.add(instance);
    const provided = providerMethods(() => instance.server(), log, options.preparedAnswers);
    return {
      methods: new Map([...pluginMethods(client, log), ...provided]),
      closed() {
        instances.delete(instance);
        leaving.add(instance);
        void stop(instance, log).then(() => leaving.delete(instance));
        client.gone();
      },
    };
  }

  const grpc = new GrpcServer({ tls, connect, log });
  listener.server.on("connection", (socket) => grpc.accept(socket));
  lifetime.watchFaults(log, (fault) =>
    grpc.fail(new GrpcError(Status.internal, `the provider failed: ${fault.message}`)),
  );

  const { reason, code } = await lifetime.ending;
  log.debug("the provider ends", { reason, code });
  listener.close();
  const ended = Promise.all([...instances, ...leaving].map((instance) => stop(instance, log)));
  const late = new Promise((resolve) => setTimeout(resolve, endWithin));
  await Promise.race([Promise.all([grpc.close(), ended]), late]);
  return code;
}

async function stop(instance: Instance, log: Logger): Promise<void> {
  await instance
    .stop()
    .catch((error: unknown) => log.error("the provider could not be stopped", { error: String(error) }));
}

/** Once Terraform is dead, stderr has no reader, and a failed write must not prevent the exit. */
function unfailing(log: Logger): Logger {
  const guarded =
    (level: keyof Logger): Logger["info"] =>
    (message, fields) => {
      try {
        log[level](message, fields);
      } catch {}
    };
  return { error: guarded("error"), warn: guarded("warn"), info: guarded("info"), debug: guarded("debug") };
}
