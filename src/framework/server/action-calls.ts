import type { ActionDefinition } from "../define/action-definition.ts";
import type { Attributes } from "../schema/attribute.ts";
import { showObject } from "../schema/show.ts";
import type { Type } from "../schema/type.ts";
import { nested } from "../schema/types.ts";
import type { Config, Desired } from "../schema/views.ts";
import type { ActionRequest, DeferredReason, ProviderServer } from "../server.ts";
import { Call } from "./call.ts";
import { Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import { validateConfig } from "./validate-config.ts";

interface Action {
  readonly definition: ActionDefinition<Attributes, unknown>;
  readonly root: Type;
}

export function actionCalls(
  runtime: Runtime,
): Pick<ProviderServer, "validateActionConfig" | "planAction" | "invokeAction"> {
  const actions = new Registry<Action>(
    runtime,
    "action",
    (runtime.provider.actions ?? []).map((definition) => [
      definition.type,
      () => ({ definition, root: nested(definition.attributes) }),
    ]),
  );
  return {
    validateActionConfig: ({ typeName: type, config }) =>
      actions.answer({ rpc: "ValidateActionConfig", operation: "validate", type }, {}, async (call, action) => {
        await validateConfig(call, action.definition, call.decode(action.root, config));
        return {};
      }),

    planAction: ({ typeName: type, config: sent, clientCapabilities }) =>
      actions.answer<{ deferred?: DeferredReason }>(
        { rpc: "PlanAction", operation: "plan", type },
        {},
        async (call, { definition, root }) => {
          const config = showObject(definition.attributes, call.decode(root, sent), "config") as Config<Attributes>;
          await definition.plan?.({ ...call.context, api: runtime.api, config });
          const deferred = runtime.isConfigurationUnknown && clientCapabilities.deferralAllowed;
          return deferred ? { deferred: "provider_config_unknown" } : {};
        },
      ),

    async *invokeAction(request, signal) {
      const root = actions.find(request.typeName)?.root;
      const subject = { rpc: "InvokeAction", operation: "invoke", type: request.typeName } as const;
      const call = new Call(runtime, { ...subject, ...(root ? { root } : {}) }, signal);
      const progress = new Progress();
      const done = call
        .attempt(async () => invoke(call, actions.get(request.typeName), request, progress))
        .finally(() => progress.end());
      for await (const message of progress) yield { progress: message };
      await done;
      // Exactly one, whatever happened: Terraform takes a stream that ends without it for success.
      yield { completed: call.report.diagnostics };
    },
  };
}

async function invoke(
  call: Call,
  { definition, root }: Action,
  request: ActionRequest,
  progress: Progress,
): Promise<void> {
  await definition.invoke({
    ...call.context,
    api: call.runtime.requireApi(),
    config: showObject(definition.attributes, call.decode(root, request.config), "desired") as Desired<Attributes>,
    progress: (message) => progress.say(message),
  });
}

/** Lines on their way from a hook that speaks when it likes to a stream that is read when it likes. */
class Progress {
  readonly #lines: string[] = [];
  #ended = false;
  #wake = () => {};

  say(line: string): void {
    this.#lines.push(line);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (true) {
      yield* this.#lines.splice(0);
      if (this.#lines.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
