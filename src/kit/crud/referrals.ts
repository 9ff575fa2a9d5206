import type { Attributes } from "#framework";
import { awaitReference, type Referral } from "../references.ts";
import type { Session } from "../session.ts";
import type { Members, WiredAttribute } from "../wire/wired.ts";

/** Every name that a configuration refers to and the prior state does not, with the attribute it stands in. */
export function referralsIn(attributes: Attributes, config: Members, prior: Members | null): Referral[] {
  return walk(attributes, config, prior ?? {}, []);
}

interface Wanted {
  readonly attributes: Attributes;
  readonly desired: Members;
  /** What it referred to before exists. */
  readonly prior?: Members | null;
  readonly signal: AbortSignal;
}

/** Waits for everything that an object refers to and the same run creates. */
export async function awaitReferrals(api: Session, { attributes, desired, prior, signal }: Wanted): Promise<void> {
  for (const { kind, name } of referralsIn(attributes, desired, prior ?? null)) {
    await awaitReference(api, { kind, name, signal });
  }
}

function walk(attributes: Attributes, config: Members, prior: Members, path: readonly string[]): Referral[] {
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    inAttribute(attribute, config[name], prior[name], [...path, name]),
  );
}

function inAttribute(
  { type, refers }: WiredAttribute,
  value: unknown,
  before: unknown,
  path: readonly string[],
): Referral[] {
  if (value === null || value === undefined) return [];
  const { shape } = type;
  if (refers !== undefined) {
    const known = new Set(namesIn(before).map(({ name }) => name));
    const isOne = typeof value === "string";
    return namesIn(value)
      .filter(({ name }) => !known.has(name))
      .map(({ name, key }) => ({ kind: refers, name, path: isOne || key === undefined ? path : [...path, key] }));
  }
  if (shape.kind === "nested") return walk(shape.attributes, value as Members, (before ?? {}) as Members, path);
  if (shape.kind === "map" && shape.element.shape.kind === "nested") {
    const { attributes } = shape.element.shape;
    return Object.entries(value).flatMap(([key, member]) =>
      walk(attributes, (member ?? {}) as Members, ((before as Members | null)?.[key] ?? {}) as Members, [...path, key]),
    );
  }
  return [];
}

/** A text is a name, so is a VMID, each item of a list that is known, and each key of a map. */
function namesIn(value: unknown): { readonly name: string; readonly key?: string }[] {
  if (typeof value === "number") return [{ name: String(value) }];
  if (typeof value === "string") return [{ name: value }];
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === "string" ? [{ name: item }] : []));
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).map((key) => ({ name: key, key }));
}
