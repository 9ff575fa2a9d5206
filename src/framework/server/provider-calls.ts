import { secretsIn } from "../schema/secrets.ts";
import { toObjectView } from "../schema/to-view.ts";
import { nested } from "../schema/types.ts";
import type { ProviderServer } from "../server.ts";
import { isWhollyKnown } from "../values/value.ts";
import { answer, Call } from "./call.ts";
import type { Runtime } from "./runtime.ts";
import { validateConfig } from "./validate-config.ts";

/** The calls for the provider's own configuration, and for stopping it. */
export function providerCalls(
  runtime: Runtime,
): Pick<ProviderServer, "validateProviderConfig" | "configureProvider" | "stop" | "end"> {
  const { provider: definition } = runtime;
  const { name: type, attributes } = definition;
  const root = nested(attributes);
  const conceal = (secret: string) => runtime.conceal(secret);
  const end = async () => {
    if (runtime.api !== undefined) await definition.end?.(runtime.api);
  };
  return {
    validateProviderConfig({ config }) {
      const call = new Call(runtime, { rpc: "ValidateProviderConfig", operation: "validate", type, root });
      return answer(call, {}, async () => {
        await validateConfig(call, { definition, root }, call.decode(root, config));
        return {};
      });
    },

    configureProvider({ config: sent, terraformVersion }) {
      runtime.resume();
      const call = new Call(runtime, { rpc: "ConfigureProvider", operation: "configure", type, root });
      return answer(call, {}, async () => {
        await end();
        const config = call.decode(root, sent);
        for (const secret of secretsIn(root, config)) runtime.secrets.add(secret);
        const shown = toObjectView(attributes, config, "config");
        const api = await definition.configure({ ...call.context, config: shown, terraformVersion, conceal });
        if (!call.report.failed) runtime.configured(api, isWhollyKnown(config) ? "known" : "unknown");
        return {};
      });
    },

    async stop() {
      runtime.stop();
      return "";
    },

    end,
  };
}
