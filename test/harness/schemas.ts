import { diagnose } from "./resource-calls.ts";
import type { Calls, Wire } from "./wire.ts";

type Schemas = Calls["GetProviderSchema"][1];

const asked = new WeakMap<object, Promise<Schemas>>();

/** The provider's schemas, asked for once: all connections to a process have the same. */
export function schemasOf({ wire, process }: { readonly wire: Wire; readonly process: object }): Promise<Schemas> {
  const known = asked.get(process) ?? wire.call("GetProviderSchema", {});
  asked.set(process, known);
  return known.then((schemas) => {
    diagnose("GetProviderSchema", schemas);
    return schemas;
  });
}
