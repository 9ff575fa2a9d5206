import { once } from "node:events";
import type { Logger } from "#framework";
import { GRPCBroker } from "../gen/grpc-broker.ts";
import { GRPCController } from "../gen/grpc-controller.ts";
import { GRPCStdio } from "../gen/grpc-stdio.ts";
import { Health, HealthCheckResponseServingStatus } from "../gen/health.ts";
import type { Handler } from "../grpc/call.ts";
import { bind, type Handlers } from "./bind.ts";

/** What go-plugin's client lets us know about itself. */
export interface ClientEvents {
  /** It wants the process to end. */
  shutdown(): void;
  /** It let go of the stream that it holds as long as it lives. */
  gone(): void;
}

const controller: Handlers<typeof GRPCController, ClientEvents> = {
  async shutdown(client) {
    client.shutdown();
    return {};
  },
};

/** Nothing is ever sent: what we print goes to stderr, which go-plugin reads by itself. */
const stdio: Handlers<typeof GRPCStdio, ClientEvents> = {
  async *streamStdio(client, _request, signal) {
    yield* untilCancelled(signal);
    client.gone();
  },
};

/** Opened by the client as a matter of course, and used by no Terraform. */
const broker: Handlers<typeof GRPCBroker, ClientEvents> = {
  startStream: (_client, _request, signal) => untilCancelled(signal),
};

const health: Handlers<typeof Health, ClientEvents> = {
  async check() {
    return { status: HealthCheckResponseServingStatus.SERVING };
  },
};

/** The services go-plugin expects of every plugin beside its own. */
export function pluginMethods(client: ClientEvents, log: Logger): [path: string, Handler][] {
  const open = () => client;
  return [
    ...bind(GRPCController, controller, open, log),
    ...bind(GRPCStdio, stdio, open, log),
    ...bind(GRPCBroker, broker, open, log),
    ...bind(Health, health, open, log),
  ];
}

/** Holds a stream open without a message. */
async function* untilCancelled(signal: AbortSignal): AsyncGenerator<never> {
  if (!signal.aborted) await once(signal, "abort");
  yield* [];
}
