import { decode, encode } from "../../harness/cty-codec.ts";
import { expectKnown, expectSame } from "../../harness/expectations.ts";
import type { Connected, Input } from "../../harness/index.ts";
import { diagnose } from "../../harness/resource-calls.ts";
import { objectType, parseBlock } from "../../harness/schema.ts";
import { schemasOf } from "../../harness/schemas.ts";
import { type ObjectValue, toValue } from "../../harness/value.ts";
import type { WireDiagnostic } from "../../harness/wire.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

export type Found = Record<string, unknown>;

export interface Lookup {
  /** The whole object as plain data. */
  readonly found: Found;
  readonly warnings: WireDiagnostic[];
}

type Inputs = Record<string, Input>;

/** The bench with what Terraform does for a `data` block. */
export class LookupBench extends ResourceBench {
  /** Validates and reads; what the provider refuses is thrown. What was asked with must come back as it was. */
  async lookUp(type: string, config: Inputs = {}): Promise<Lookup> {
    const { validation, shape, packed } = await this.validate(type, config);
    diagnose("ValidateDataResourceConfig", validation);
    const response = await this.provider.wire.call("ReadDataSource", { type_name: type, config: packed });
    const warnings = diagnose("ReadDataSource", response);
    const state = decode(shape, response.state?.msgpack ?? new Uint8Array()) as ObjectValue;
    expectKnown(type, state);
    const asked = toValue(shape, config) as ObjectValue;
    const kept = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, value ?? state[name] ?? null]));
    expectSame("result agrees with the plan", type, shape, kept, state);
    return { found: attribute({ state, private: new Uint8Array(), identity: null }) as Found, warnings };
  }

  async validate(type: string, config: Inputs) {
    const shape = await this.#shapeOf(this.provider, type);
    const packed = { msgpack: encode(shape, toValue(shape, config)) };
    const request = { type_name: type, config: packed };
    return { validation: await this.provider.wire.call("ValidateDataResourceConfig", request), shape, packed };
  }

  /** Calls of the API that a new process and a look-up in it take, by endpoint. */
  async calls(type: string, config: Inputs = {}): Promise<Record<string, number>> {
    const { log } = this.simulator.sim;
    log.clear();
    await this.restart();
    await this.lookUp(type, config);
    const { calls } = log.summary() as { calls: { endpoint: string; count: number }[] };
    return Object.fromEntries(calls.map(({ endpoint, count }) => [endpoint, count]));
  }

  async #shapeOf(provider: Connected, type: string) {
    const { data_source_schemas: schemas } = await schemasOf(provider);
    const schema = schemas[type];
    if (!schema) throw new Error(`the provider has no data source ${type}`);
    return objectType(parseBlock(schema.block));
  }
}
