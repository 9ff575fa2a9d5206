import type { ConfigObject, ObjectPaths, Parameters } from "#pve";
import type { Session } from "./session.ts";

/** What the store of the run keeps the list of a collection under: its path. */
export function listQuestion({ path, collection }: ObjectPaths, key: Readonly<Record<string, unknown>> = {}): string {
  const above = collection ?? path.slice(0, path.lastIndexOf("/"));
  return above.replace(/\{([^}]+)\}/g, (_, place: string) => String(key[place] ?? ""));
}

/** The list of a collection, asked for once in a run: a write to one of its objects forgets it. */
export const listed = (api: Session, file: string, paths: ObjectPaths, key: Parameters = {}): Promise<ConfigObject[]> =>
  api.store.remember(listQuestion(paths, key), () => api.objects(file, paths).list(key));
