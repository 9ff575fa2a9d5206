import type { ActionDefinition } from "../define/action-definition.ts";
import type { Attributes } from "../schema/attribute.ts";
import { toObjectView } from "../schema/to-view.ts";
import type { ActionRequest, DeferredReason, ProviderServer } from "../server.ts";
import { isNull, membersOf, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import { type Entry, entryOf, Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import { validateCall, validateConfig } from "./validate-config.ts";

type Action = Entry<ActionDefinition<Attributes, unknown>>;

/** The calls for actions. */
export function actionCalls(
  runtime: Runtime,
): Pick<ProviderServer, "validateActionConfig" | "planAction" | "invokeAction"> {
  const actions = Registry.of(runtime, "action", runtime.provider.actions, entryOf);
  return {
    validateActionConfig: validateCall(actions, "ValidateActionConfig"),

    planAction: ({ typeName: type, config: sent, clientCapabilities }) =>
      actions.answer<{ deferred?: DeferredReason }>(
        { rpc: "PlanAction", operation: "plan", type },
        {},
        async (call, { definition, root }) => {
          const config = toObjectView(definition.attributes, call.decode(root, sent), "config");
          await definition.plan?.({ ...call.context, api: runtime.api, config });
          const deferred = runtime.isConfigurationUnknown && clientCapabilities.deferralAllowed;
          return deferred ? { deferred: "provider_config_unknown" } : {};
        },
      ),

    async *invokeAction(request, signal) {
      const call = await actions.begin({ rpc: "InvokeAction", operation: "invoke", type: request.typeName }, signal);
      const progress = new Progress();
      const done = call
        .attempt(async () => invoke(call, await actions.get(request.typeName), request, progress))
        .finally(() => progress.end());
      for await (const message of progress) yield { progress: message };
      await done;
      // Exactly one in every case: Terraform takes a stream that ends without it for success.
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
  const { attributes } = definition;
  const config = call.decode(root, request.config);
  await checkReceived(call, { definition, root }, config);
  if (call.report.failed) return;
  await definition.invoke({
    ...call.context,
    api: call.runtime.requireApi(),
    config: toObjectView(attributes, config, "desired"),
    progress: (message) => progress.say(message),
  });
}

/**
 * `apply -invoke` of Terraform 1.17 sends null for ephemeral values (internal/terraform/node_action_invoke.go), so that the
 * configuration is no longer the one that was validated.
 */
async function checkReceived(call: Call, action: Action, config: Value): Promise<void> {
  const absent = [...membersOf(config)].flatMap(([name, value]) => (isNull(value) ? [name] : []));
  const modes = absent.map((name) => [name, action.definition.attributes[name]] as const);
  for (const [name, attribute] of modes) {
    if (attribute?.mode === "required") call.report.error(name, "No value", `${name} was not received.`);
  }
  if (!call.report.failed) await validateConfig(call, action, config);
  if (!call.report.failed || !modes.some(([, attribute]) => attribute?.writeOnly)) return;
  call.report.add(
    "error",
    [],
    "Ephemeral values are not received",
    "Some versions of Terraform drop them with `-invoke`. Nothing was done. Give the value by a variable with `sensitive = true` instead of `ephemeral = true`, or let a resource trigger the action.",
  );
}

/** A queue of lines between a hook, which writes at any time, and a stream, which is read at any time. */
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
