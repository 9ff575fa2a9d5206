import { decode, encode } from "./cty-codec.ts";
import type { Type } from "./type.ts";
import type { ObjectValue, Value } from "./value.ts";
import { type Calls, Wire, type WireValue } from "./wire.ts";

/** Changes the provider's answer to one call; `nth` counts the calls of that name from 1. */
export type Tampering = {
  [Name in keyof Calls]?: (response: Calls[Name][1], nth: number, request: Calls[Name][0]) => Calls[Name][1];
};

/** A faulty provider: a correct one whose answers are altered in transit. */
export class TamperedWire extends Wire {
  readonly tampering: Tampering = {};
  readonly #counts = new Map<string, number>();

  override async call<Name extends keyof Calls>(name: Name, request: Calls[Name][0]): Promise<Calls[Name][1]> {
    const nth = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, nth);
    const response = await super.call(name, request);
    return this.tampering[name]?.(response, nth, request) ?? response;
  }
}

/** Alters some attributes of a value on the wire. */
export function altered(type: Type, wire: WireValue | null, changes: ObjectValue): WireValue {
  const value: Value = wire ? decode(type, wire.msgpack) : null;
  return { msgpack: encode(type, { ...(value as ObjectValue), ...changes }) };
}
