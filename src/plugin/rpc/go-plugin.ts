import { once } from "node:events";
import type { Logger } from "#framework";
import { GRPCBroker } from "../gen/grpc-broker.ts";
import { GRPCController } from "../gen/grpc-controller.ts";
import { GRPCStdio } from "../gen/grpc-stdio.ts";
import { Health, HealthCheckResponseServingStatus } from "../gen/health.ts";
import type { Handler } from "../grpc/call.ts";
import { bind, type Handlers } from "./bind.ts";

/** What go-plugin's client reports about itself. */
export interface ClientEvents {
  /** It requests the end of the process. */
  shutdown(): void;
  /** It closed the stream that it keeps open as long as it runs. */
  gone(): void;
}

const controller: Handlers<typeof GRPCController, ClientEvents> = {
  async shutdown(client) {
    client.shutdown();
    return {};
  },
};

/** Nothing is ever sent: output goes to stderr, which go-plugin reads directly. */
const stdio: Handlers<typeof GRPCStdio, ClientEvents> = {
  async *streamStdio(client, _request, signal) {
    yield* untilCancelled(signal);
    client.gone();
  },
};

/** The client always opens it, and no Terraform uses it. */
const broker: Handlers<typeof GRPCBroker, ClientEvents> = {
  startStream: (_client, _request, signal) => untilCancelled(signal),
};

const health: Handlers<typeof Health, ClientEvents> = {
  async check() {
    return { status: HealthCheckResponseServingStatus.SERVING };
  },
};

/** The services that go-plugin expects of every plugin besides its own. */
export function pluginMethods(client: ClientEvents, log: Logger): [path: string, Handler][] {
  const open = () => client;
  return [
    ...bind(GRPCController, controller, open, log),
    ...bind(GRPCStdio, stdio, open, log),
    ...bind(GRPCBroker, broker, open, log),
    ...bind(Health, health, open, log),
  ];
}

/** Keeps a stream open without a message. */
async function* untilCancelled(signal: AbortSignal): AsyncGenerator<never> {
  if (!signal.aborted) await once(signal, "abort");
  yield* [];
}
