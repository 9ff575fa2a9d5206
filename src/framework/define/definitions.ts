import type { Attributes } from "../schema/attribute.ts";
import type { Type } from "../schema/type.ts";
import type { ActionDefinition } from "./action-definition.ts";
import type { DataSourceDefinition } from "./data-source-definition.ts";
import type { EphemeralDefinition } from "./ephemeral-definition.ts";
import type { FunctionDefinition, Parameters } from "./function-definition.ts";
import type { ListResourceDefinition } from "./list-resource-definition.ts";
import type { ProviderDefinition } from "./provider-definition.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

type None = Record<never, never>;

/**
 * The functions that make definitions, bound to the result of the provider's `configure`. TypeScript infers all type
 * parameters of a call or none, so the one that cannot be inferred is given here, once:
 *
 *     const { defineResource, defineProvider } = definitions<Client>();
 *
 * They return what they are given; their work is inference.
 */
export function definitions<Api>() {
  return {
    defineProvider: <const A extends Attributes>(definition: ProviderDefinition<A, Api>) => definition,
    defineResource: <
      const A extends Attributes,
      const I extends string = never,
      P extends object = None,
      H = undefined,
    >(
      definition: ResourceDefinition<A, I, P, Api, H>,
    ) => definition,
    defineDataSource: <const A extends Attributes>(definition: DataSourceDefinition<A, Api>) => definition,
    defineEphemeral: <const A extends Attributes, P extends object = None>(
      definition: EphemeralDefinition<A, P, Api>,
    ) => definition,
    defineListResource: <const C extends Attributes, A extends Attributes, I extends string>(
      definition: ListResourceDefinition<C, A, I, Api>,
    ) => definition,
    defineAction: <const A extends Attributes>(definition: ActionDefinition<A, Api>) => definition,
    defineFunction: <const P extends Parameters, R extends Type, const V extends Parameters = None>(
      definition: FunctionDefinition<P, V, R>,
    ) => definition,
  };
}
