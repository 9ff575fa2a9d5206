import { CodecError } from "../codec/codec-error.ts";
import { decodeValue, encodeValue } from "../codec/dynamic-value.ts";
import type { FunctionDefinition, Parameter } from "../define/function-definition.ts";
import { fromView, SchemaMismatch } from "../schema/from-view.ts";
import { toView } from "../schema/to-view.ts";
import type { Type } from "../schema/type.ts";
import { validate } from "../schema/validate.ts";
import type { CallFunctionResponse, DynamicValue, ProviderServer } from "../server.ts";
import type { Runtime } from "./runtime.ts";

/** An argument that cannot be used. */
class ArgumentFailure extends Error {
  readonly argument: number;

  constructor(argument: number, message: string) {
    super(message);
    this.argument = argument;
  }
}

/** The calls for functions, which need no API. */
export function functionCalls(runtime: Runtime): Pick<ProviderServer, "callFunction"> {
  const known = new Map(Object.entries(runtime.provider.functions ?? {}));
  return {
    async callFunction({ name, arguments: sent }) {
      const load = known.get(name);
      if (load === undefined) return { error: { text: `The provider has no function "${name}"` } };
      try {
        return { result: await callFunction(await load(), sent) };
      } catch (error) {
        return { error: explain(name, error, runtime) };
      }
    },
  };
}

async function callFunction(definition: FunctionDefinition, sent: readonly DynamicValue[]): Promise<DynamicValue> {
  const names = Object.keys(definition.parameters);
  const [rest, more] = Object.entries(definition.variadic ?? {})[0] ?? [];
  const fixed = Object.entries(definition.parameters).map(
    ([name, parameter], index) => [name, readArgument(parameter, sent[index], index)] as const,
  );
  const variable = more
    ? sent.slice(names.length).map((value, index) => readArgument(more, value, names.length + index))
    : [];
  const fail = (parameter: string, message: string, index = 0): never => {
    throw new ArgumentFailure(parameter === rest ? names.length + index : names.indexOf(parameter), message);
  };
  const args = { ...Object.fromEntries(fixed), ...(rest === undefined ? {} : { [rest]: variable }) };
  return encodeValue(
    definition.returns,
    takeResult(definition.returns, await definition.call(args as never, { fail })),
  );
}

function readArgument({ type }: Parameter, sent: DynamicValue | undefined, argument: number): unknown {
  try {
    const value = decodeValue(type, sent ?? {});
    const [objection] = validate(type, value);
    if (objection) throw new ArgumentFailure(argument, `${objection.place} ${objection.problem}`.trim());
    return toView(type, value, "config");
  } catch (error) {
    throw error instanceof CodecError ? new ArgumentFailure(argument, `Expected ${error.message}.`) : error;
  }
}

function takeResult(type: Type, result: unknown) {
  if (result === null && !type.nullable) throw new SchemaMismatch("a value", []);
  return fromView(type, result);
}

function explain(name: string, error: unknown, { log }: Runtime): NonNullable<CallFunctionResponse["error"]> {
  if (error instanceof ArgumentFailure) return { text: unfinished(error.message), argument: error.argument };
  log.error("a function threw an unexpected error", { function: name, error });
  const message =
    error instanceof SchemaMismatch ? `the result does not fit the schema: expected ${error.message}` : String(error);
  return { text: `${message}. This is a bug in the provider, please report it: ${name}, CallFunction` };
}

/** Terraform adds a full stop to the text. */
const unfinished = (text: string): string => text.replace(/\.$/, "");
