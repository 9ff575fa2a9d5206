import { decode, encode } from "../harness/cty-codec.ts";
import { type Connected, type Input, ProviderErrors } from "../harness/index.ts";
import { objectType, parseBlock } from "../harness/schema.ts";
import { schemasOf } from "../harness/schemas.ts";
import { type ObjectValue, toValue } from "../harness/value.ts";
import type { Diagnosed } from "../harness/wire.ts";

/** An ephemeral resource that Terraform has opened and not closed yet. */
export interface Opened {
  readonly value: ObjectValue;
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** What a run does with an ephemeral resource. */
export async function openEphemeral(provider: Connected, type: string, config: Input): Promise<Opened> {
  const { wire } = provider;
  const schema = (await schemasOf(provider)).ephemeral_resource_schemas[type];
  if (!schema) throw new Error(`the provider has no ephemeral resource ${type}`);
  const object = objectType(parseBlock(schema.block));
  const packed = { msgpack: encode(object, toValue(object, config)) };
  accept("Validate", await wire.call("ValidateEphemeralResourceConfig", { type_name: type, config: packed }));
  const response = accept("Open", await wire.call("OpenEphemeralResource", { type_name: type, config: packed }));
  if (!response.result) throw new Error("nothing was opened");
  const handle = { type_name: type, private: response.private ?? new Uint8Array() };
  return {
    value: decode(object, response.result.msgpack) as ObjectValue,
    renew: async () => void accept("Renew", await wire.call("RenewEphemeralResource", handle)),
    close: async () => void accept("Close", await wire.call("CloseEphemeralResource", handle)),
  };
}

function accept<R extends Diagnosed>(call: string, response: R): R {
  const errors = response.diagnostics.filter(({ severity }) => severity === "ERROR");
  if (errors.length > 0) throw new ProviderErrors(call, errors);
  return response;
}
