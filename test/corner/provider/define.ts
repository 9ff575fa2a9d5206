import { definitions } from "#framework";
import type { Store } from "./store.ts";

export const {
  defineAction,
  defineDataSource,
  defineEphemeral,
  defineFunction,
  defineListResource,
  defineProvider,
  defineResource,
} = definitions<Store>();

interface Hooked {
  readonly api: Store;
  readonly id: { readonly id: string };
}

/** The hooks of a resource that stores its configuration as it is, under an id of its own. */
export function keptAs(kind: string) {
  return {
    create: ({ api, desired }: { api: Store; desired: object }) => ({ id: api.add(kind, desired) }),
    read: <T>({ api, id }: Hooked): T | null => api.find<T>(kind, id.id),
    update: ({ api, id, desired }: Hooked & { desired: object }) => api.change(kind, id.id, desired),
    delete: ({ api, id }: Hooked) => api.remove(kind, id.id),
  };
}
