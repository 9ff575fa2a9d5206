import type { ConfigObject } from "#pve";
import type { CrudResource } from "./define-crud.ts";
import type { Wired } from "./definition.ts";

/**
 * What makes an object one that this version of the provider cannot manage: `protocol "babel"`, a value that a later version of
 * Proxmox VE has for what an object is. Null: the provider knows it.
 */
export function unknownKindOf(
  { crud: { model, definition }, attributes }: CrudResource<Wired, string, object>,
  one: ConfigObject,
): string | null {
  const { variants } = model;
  const kind = one[variants.option];
  if (variants.names.length > 0 && kind !== undefined && variants.kindOf(one, {}) === null) {
    return `${variants.option} "${kind}"`;
  }
  const only = variants.names.length === 0 ? definition.fixed?.[variants.option] : undefined;
  if (only !== undefined && kind !== undefined && kind !== only) return `${variants.option} "${kind}"`;
  const unknown = Object.values(attributes as Wired).find(({ wire, mode, as, custom, type }) => {
    const value = wire === undefined || as || custom || mode !== "required" ? undefined : one[wire];
    const words = (type.allowed as { readonly words?: readonly string[] } | undefined)?.words;
    return typeof value === "string" && words !== undefined && !words.includes(value);
  });
  return unknown?.wire === undefined ? null : `${unknown.wire} "${one[unknown.wire]}"`;
}
