import type { Members } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";

/** A source in the configuration that is not the one in the state. */
export interface SourceChange {
  readonly path: readonly string[];
  /** Null: the state says none. The guest or volume may have been imported, or was made from nothing. */
  readonly before: string | null;
  /** Undefined: known after apply. */
  readonly after: string | undefined;
  /** Of a single volume. */
  readonly slot: string | null;
}

/** Sources of the guest and of volumes that it has, where the configuration says another one. */
export function sourcesBetween(
  { kind, config }: Pick<GuestPlan, "kind" | "config">,
  prior: GuestState,
): SourceChange[] {
  const member = (tree: unknown, path: readonly string[]) =>
    path.reduce<unknown>((node, key) => (node as Members | null | undefined)?.[key], tree);
  const changed = (path: readonly string[], slot: string | null): SourceChange[] => {
    const [before, after] = [member(prior, path) ?? null, member(config, path)];
    const isText = after === undefined || typeof after === "string";
    return isText && after !== "" && before !== after ? [{ path, before: before as string | null, after, slot }] : [];
  };
  const ofGuest = kind.sources
    .filter(([attribute]) => member(prior, [attribute]) && member(config, [attribute]))
    .flatMap((path) => changed(path, null));
  const ofVolumes = kind.volumeSources.flatMap(([map, name]) =>
    Object.keys((member(prior, [map]) as Members | null) ?? {})
      .filter((slot) => member(config, [map, slot]))
      .flatMap((slot) => changed([map, slot, name], slot)),
  );
  return [
    ...ofGuest.filter(({ before }) => before !== null),
    ...ofVolumes.filter(({ before, after }) => before !== null || after !== undefined),
  ];
}

/** A member that was added or removed is stored; Terraform accepts no other plan. */
export const isOther = (before: unknown, after: unknown): boolean =>
  before !== null && before !== undefined && after !== null && before !== after;
