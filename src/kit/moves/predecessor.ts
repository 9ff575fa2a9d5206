import { type Attributes, Failure, type MoveDefinition } from "#framework";
import type { Members } from "../wire/wired.ts";
import { LegacyState } from "./legacy-state.ts";

/** A type of another provider whose state a `moved` block brings here. */
export interface Predecessor {
  readonly provider: string;
  /** All names that the type has or had. */
  readonly types: readonly string[];
  /**
   * Our attributes, with the name of theirs that has the value, or what gives it. Members of objects go by `nfs.server`, on
   * both sides. What is left out is read by the refresh that follows, and so are secrets, which stay behind.
   */
  readonly members: Readonly<Record<string, string | ((old: LegacyState) => unknown)>>;
}

/** A type of bpg's provider. It has two names as that provider goes over from the long form to the short one. */
export const bpg = (name: string, members: Predecessor["members"]): Predecessor => ({
  provider: "bpg/proxmox",
  types: [`proxmox_virtual_environment_${name}`, `proxmox_${name}`],
  members,
});

/** A type of Telmate's provider. */
export const telmate = (name: string, members: Predecessor["members"]): Predecessor => ({
  provider: "telmate/proxmox",
  types: [`proxmox_${name}`],
  members,
});

/** The opposite of theirs: `enabled`, where they have `disable`. */
export const opposite = (name: string) => (old: LegacyState) => {
  const value = old.flag(name);
  return value === undefined ? undefined : !value;
};

/** Their value if it is this one. They store the other one, PVE's default, where here nothing is given. */
export const onlyIf = (value: boolean, name: string) => (old: LegacyState) => {
  const [holder, last] = innermost(old, name);
  return holder.flag(last) === value ? value : undefined;
};

interface Successor {
  readonly attributes: Attributes;
  readonly identity: readonly string[];
  /** `HA rule` */
  readonly noun: string;
}

/** What a resource definition takes as `moves`. */
export const movesFrom = <A extends Attributes>(
  successor: Successor & { readonly attributes: A },
  predecessors: readonly Predecessor[],
): MoveDefinition<A, never>[] =>
  predecessors.flatMap(({ provider, types, members }) =>
    types.map((type) => ({
      provider,
      type,
      move: ({ state }) => translate(successor, members, new LegacyState(state)) as never,
    })),
  );

function translate({ attributes, identity, noun }: Successor, members: Predecessor["members"], old: LegacyState) {
  const state: Record<string, unknown> = {};
  for (const [path, source] of Object.entries(members)) {
    const value = typeof source === "string" ? read(attributes, path, old, source) : source(old);
    if (value !== undefined) put(state, path.split("."), value);
  }
  const missing = identity.filter((name) => state[name] === undefined);
  if (missing.length > 0) {
    const detail = `Its state does not say which ${noun} it is: it has nothing for \`${missing.join("`, `")}\`.`;
    throw new Failure("Unable to move the resource", detail);
  }
  return state;
}

/** Their value, if it is of the kind that our attribute has. */
function read(attributes: Attributes, path: string, state: LegacyState, from: string): unknown {
  const [old, name] = innermost(state, from);
  switch (kindOf(attributes, path.split("."))) {
    case "bool":
      return old.flag(name);
    case "number":
      return old.number(name);
    case "list":
    case "set":
      return old.words(name);
    default:
      return old.text(name);
  }
}

function innermost(old: LegacyState, path: string): readonly [LegacyState, string] {
  const [name = "", ...inner] = path.split(".");
  return inner.length === 0 ? [old, name] : innermost(old.block(name), inner.join("."));
}

function kindOf(attributes: Attributes, [name = "", ...inner]: readonly string[]): string | undefined {
  const shape = attributes[name]?.type.shape;
  if (inner.length === 0 || shape === undefined) return shape?.kind;
  return shape.kind === "nested" ? kindOf(shape.attributes, inner) : undefined;
}

function put(state: Record<string, unknown>, [name = "", ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) state[name] = value;
  else {
    const object = { ...(state[name] as Members | undefined) };
    put(object, inner, value);
    state[name] = object;
  }
}
