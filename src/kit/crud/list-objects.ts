import { defineListResource } from "../define.ts";
import type { Members } from "../wire/wired.ts";
import type { CrudResource } from "./define-crud.ts";
import type { Wired } from "./definition.ts";
import { unknownKindOf } from "./unknown-kind.ts";

/** `list` blocks of `terraform query` for the objects of a definition: every one that the caller may see. */
export function listObjects(resource: unknown) {
  const whole = resource as CrudResource<Wired, string, object>;
  const { crud, ...definition } = whole;
  const { noun, isOwn = () => true, listedId } = crud.definition;
  return defineListResource({
    resource: definition,
    doc: `Every ${noun} of the cluster that the caller may see, to be queried and imported.`,
    attributes: {},

    async *list({ api, signal, report }) {
      const found = await crud.access.list(api, signal);
      const own = found
        .filter(({ one }) => isOwn(one))
        .map(({ kind, one }) => ({
          id: listedId?.(one) ?? crud.model.idFrom(one, kind),
          fault: unknownKindOf(whole, one),
        }));
      for (const { id, fault } of own) {
        if (fault === null) continue;
        const detail = `${crud.model.label(id as Members)} has ${fault}, which this version of the provider does not know. It is left out.`;
        report.warning(null, `Unknown kind of ${noun}`, detail);
      }
      const ids = own.filter(({ fault }) => fault === null).map(({ id }) => id);
      for (const id of ids.sort((a, b) => (crud.model.idText(a) < crud.model.idText(b) ? -1 : 1))) {
        yield { id: id as Record<string, string>, displayName: crud.model.nameOf(id as Members) };
      }
    },
  });
}
