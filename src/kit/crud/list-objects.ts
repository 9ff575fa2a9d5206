import { defineListResource } from "../define.ts";
import type { Members } from "../wire/wired.ts";
import type { CrudResource } from "./define-crud.ts";
import type { Wired } from "./definition.ts";

/** `list` blocks of `terraform query` for the objects of a definition: every one that the caller may see. */
export function listObjects(resource: unknown) {
  const { crud, ...definition } = resource as CrudResource<Wired, string, object>;
  const { noun, isOwn = () => true, listedId } = crud.definition;
  return defineListResource({
    resource: definition,
    doc: `Every ${noun} of the cluster that the caller may see, to be queried and imported.`,
    attributes: {},

    async *list({ api, signal }) {
      const found = await crud.access.list(api, signal);
      const ids = found
        .filter(({ one }) => isOwn(one))
        .map(({ kind, one }) => listedId?.(one) ?? crud.model.idFrom(one, kind));
      for (const id of ids.sort((a, b) => (crud.model.idText(a) < crud.model.idText(b) ? -1 : 1))) {
        yield { id: id as Record<string, string>, displayName: crud.model.nameOf(id as Members) };
      }
    },
  });
}
