import type { Attributes } from "../schema/attribute.ts";
import type { ProviderDefinition, Registered } from "./provider-definition.ts";

/** All definitions of a provider, loaded, by the names they are registered under. */
export type Catalog = Awaited<ReturnType<typeof loadCatalog>>;

export async function loadCatalog(provider: ProviderDefinition<Attributes, unknown>) {
  const [resources, dataSources, functions, ephemerals, listResources, actions] = await Promise.all([
    load(provider.resources),
    load(provider.dataSources),
    load(provider.functions),
    load(provider.ephemerals),
    load(provider.listResources),
    load(provider.actions),
  ]);
  return { resources, dataSources, functions, ephemerals, listResources, actions };
}

/** All definitions of one kind, in the order of the registry. */
export async function load<D>(registered: Registered<D> = {}): Promise<Record<string, D>> {
  const loaded = Object.entries(registered).map(
    async ([name, definition]) => [name, await one(name, definition)] as const,
  );
  return Object.fromEntries(await Promise.all(loaded));
}

/** A definition that throws while it is made says which one it is. */
async function one<D>(name: string, definition: Registered<D>[string]): Promise<D> {
  try {
    return await definition();
  } catch (cause) {
    throw new Error(`${name} cannot be loaded`, { cause });
  }
}

export const namesOf = (registered: Registered<unknown> = {}): string[] => Object.keys(registered);
