import { encodeValue } from "../codec/dynamic-value.ts";
import type { Listed, ListResourceDefinition } from "../define/list-resource-definition.ts";
import { reconcileObject } from "../plan/reconcile.ts";
import type { Attributes } from "../schema/attribute.ts";
import { fromObjectView } from "../schema/from-view.ts";
import { toObjectView } from "../schema/to-view.ts";
import type { DynamicValue, ListEvent, ListRequest, ProviderServer } from "../server.ts";
import type { Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import { Managed } from "./managed.ts";
import { mapAhead } from "./map-ahead.ts";
import { observe } from "./observe.ts";
import { type Entry, entryOf, Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import { validateCall } from "./validate-config.ts";

/** How many objects are read at a time. The client's own limit of requests applies, too. */
const readsAtOnce = 32;

type Definition = ListResourceDefinition<Attributes, Attributes, string, unknown>;

interface Lister extends Entry<Definition> {
  readonly managed: Managed;
}

const listerOf = (definition: Definition): Lister => ({
  ...entryOf(definition),
  managed: new Managed(definition.resource),
});

/** The calls for `terraform query`. */
export function listCalls(runtime: Runtime): Pick<ProviderServer, "validateListResourceConfig" | "listResource"> {
  const listers = Registry.of(runtime, "list resource", runtime.provider.listResources, listerOf);
  return {
    validateListResourceConfig: validateCall(listers, "ValidateListResourceConfig"),

    async *listResource(request, signal) {
      const call = await listers.begin({ rpc: "ListResource", operation: "list", type: request.typeName }, signal);
      try {
        yield* list(call, await listers.get(request.typeName), request);
      } catch (error) {
        // Terraform closes the stream when it has enough.
        if (signal.aborted) return;
        call.explain(error);
      }
      const { diagnostics } = call.report;
      if (diagnostics.length > 0) yield { displayName: "", diagnostics };
    },
  };
}

async function* list(
  call: Call,
  { definition, managed, root }: Lister,
  request: ListRequest,
): AsyncGenerator<ListEvent> {
  const limit = request.limit > 0 ? request.limit : Number.POSITIVE_INFINITY;
  const config = toObjectView(definition.attributes, call.decode(root, request.config), "desired");
  const api = call.runtime.requireApi();
  const found = definition.list({ ...call.context, api, config, limit, wantsObject: request.includeResourceObject });
  const events = mapAhead(found, Math.min(limit, readsAtOnce), async (item): Promise<ListEvent | null> => {
    const identity = managed.identityFrom(item.id);
    const object = request.includeResourceObject ? await objectOf(call, managed, identity, item) : null;
    // Deleted between being listed and being read.
    if (request.includeResourceObject && object === null) return null;
    return {
      identity: encodeValue(managed.identityType, identity),
      displayName: item.displayName,
      ...(object === null ? {} : { resourceObject: object }),
      diagnostics: [],
    };
  });
  let count = 0;
  for await (const event of events) {
    if (event === null) continue;
    yield event;
    if (++count >= limit) return;
  }
}

async function objectOf(
  call: Call,
  managed: Managed,
  identity: Value,
  { object }: Listed<Attributes, string>,
): Promise<DynamicValue | null> {
  const { attributes, root } = managed;
  const state = object
    ? reconcileObject(attributes, fromObjectView(attributes, object, "observed"), null)
    : await observe(call, managed, "import", identity, null, managed.privateState(new Uint8Array()));
  return state === null ? null : encodeValue(root, state);
}
