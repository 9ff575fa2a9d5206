import type { Session } from "#kit";

/** One list for all objects that a run reads; a write forgets it. `question` is how the generic part calls it. */
export function listPending(api: Session, collection: string, places: Readonly<Record<string, string>> = {}) {
  const given = Object.fromEntries(Object.entries(places).filter(([place]) => collection.includes(`{${place}}`)));
  const question = collection.replace(/\{([^}]+)\}/g, (_, place: string) => given[place] ?? "");
  return api.store.remember(question, () => api.sdn.listPending(collection, given));
}
