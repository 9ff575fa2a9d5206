import type { Type } from "#framework";

/** Whether two values mean the same: sets in any order, texts and lists of nothing as nothing, and what the type says. */
export function isSame(type: Type, a: unknown, b: unknown): boolean {
  const [one, other] = [orNull(a), orNull(b)];
  if (one === null || other === null) return one === other;
  const { shape } = type;
  switch (shape.kind) {
    case "set":
      return sameMembers(one as readonly unknown[], other as readonly unknown[], (x, y) => isSame(shape.element, x, y));
    case "list":
      return sameInOrder(one as readonly unknown[], other as readonly unknown[], (x, y) => isSame(shape.element, x, y));
    case "map":
      return sameKeys(one as object, other as object, (_, x, y) => isSame(shape.element, x, y));
    case "nested": {
      const { attributes } = shape;
      return sameKeys(one as object, other as object, (name, x, y) => {
        const attribute = attributes[name];
        return !attribute || attribute.local || y === undefined || isSame(attribute.type, x, y);
      });
    }
    default:
      return type.same?.(one, other) || String(one) === String(other);
  }
}

const orNull = (value: unknown): unknown =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0) ? null : value;

type Same = (a: unknown, b: unknown) => boolean;

const sameInOrder = (a: readonly unknown[], b: readonly unknown[], same: Same): boolean =>
  a.length === b.length && a.every((item, index) => same(item, b[index]));

const sameMembers = (a: readonly unknown[], b: readonly unknown[], same: Same): boolean =>
  a.length === b.length && a.every((item) => b.some((other) => same(item, other)));

function sameKeys(a: object, b: object, same: (name: string, a: unknown, b: unknown) => boolean): boolean {
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => same(name, one[name] ?? null, Object.hasOwn(other, name) ? other[name] : null));
}
