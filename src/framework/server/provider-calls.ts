import type { Attributes } from "../schema/attribute.ts";
import { secretsIn } from "../schema/secrets.ts";
import { showObject } from "../schema/show.ts";
import { nested } from "../schema/types.ts";
import type { Config } from "../schema/views.ts";
import type { ProviderServer } from "../server.ts";
import { isWhollyKnown } from "../values/value.ts";
import { answer } from "./call.ts";
import type { Runtime } from "./runtime.ts";
import { validateConfig } from "./validate-config.ts";

/** The provider's own configuration, and the end of everything. */
export function providerCalls(
  runtime: Runtime,
): Pick<ProviderServer, "validateProviderConfig" | "configureProvider" | "stop"> {
  const { provider } = runtime;
  const root = nested(provider.attributes);
  return {
    validateProviderConfig: ({ config }) =>
      answer(
        runtime,
        { rpc: "ValidateProviderConfig", operation: "validate", type: provider.name, root },
        {},
        async (call) => {
          await validateConfig(call, provider, call.decode(root, config));
          return {};
        },
      ),

    configureProvider({ config: sent, terraformVersion }) {
      runtime.resume();
      return answer(
        runtime,
        { rpc: "ConfigureProvider", operation: "configure", type: provider.name, root },
        {},
        async (call) => {
          const config = call.decode(root, sent);
          for (const secret of secretsIn(root, config)) runtime.secrets.add(secret);
          const shown = showObject(provider.attributes, config, "config") as Config<Attributes>;
          const api = await provider.configure({ ...call.context, config: shown, terraformVersion });
          if (!call.report.failed) runtime.configured(api, isWhollyKnown(config) ? "known" : "unknown");
          return {};
        },
      );
    },

    async stop() {
      runtime.stop();
      return "";
    },
  };
}
