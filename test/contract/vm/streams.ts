import { encode } from "../../harness/cty-codec.ts";
import type { Connected, Input } from "../../harness/index.ts";
import { objectType, parseBlock } from "../../harness/schema.ts";
import { schemasOf } from "../../harness/schemas.ts";
import { toValue } from "../../harness/value.ts";
import type { Streams, WireBlock, WireDiagnostic } from "../../harness/wire.ts";

type ListEvent = Streams["ListResource"][1];

const pack = (block: WireBlock, input: Input) => {
  const type = objectType(parseBlock(block));
  return { msgpack: encode(type, toValue(type, input)) };
};

interface QueryOptions {
  readonly limit?: number;
  readonly withObjects?: boolean;
  readonly type?: string;
}

/** What `terraform query` would receive. */
export async function query(provider: Connected, config: Input, more: QueryOptions = {}): Promise<ListEvent[]> {
  const events: ListEvent[] = [];
  for await (const event of stream(provider, config, more)) events.push(event);
  return events;
}

/** The same, one event after the other as they arrive. */
export async function* stream(
  provider: Pick<Connected, "wire" | "process">,
  config: Input,
  more: QueryOptions = {},
): AsyncGenerator<ListEvent> {
  const { list_resource_schemas: schemas } = await schemasOf(provider);
  const type = more.type ?? "proxmox_vm";
  const schema = schemas[type];
  if (!schema) throw new Error(`the provider does not list ${type}`);
  const request = {
    type_name: type,
    config: pack(schema.block, config),
    limit: more.limit ?? 100,
    include_resource_object: more.withObjects ?? false,
  };
  for await (const event of provider.wire.stream("ListResource", request)) yield event as ListEvent;
}

export interface Invoked {
  readonly progress: string[];
  readonly diagnostics: WireDiagnostic[];
}

/** What `terraform apply -invoke` would print. */
export async function invoke(provider: Connected, type: string, config: Input): Promise<Invoked> {
  const { action_schemas: schemas } = await schemasOf(provider);
  const action = schemas[type];
  if (!action) throw new Error(`the provider has no action ${type}`);
  const request = {
    action_type: type,
    config: pack(action.schema.block, config),
    client_capabilities: { write_only_attributes_allowed: true },
  };
  const progress: string[] = [];
  let diagnostics: WireDiagnostic[] | undefined;
  for await (const event of provider.wire.stream("InvokeAction", request)) {
    const { progress: line, completed } = event as Streams["InvokeAction"][1];
    if (diagnostics) throw new Error("something was said after the end");
    if (line) progress.push(line.message);
    if (completed) diagnostics = completed.diagnostics;
  }
  if (!diagnostics) throw new Error("the action never ended");
  return { progress, diagnostics };
}
