import type { Path } from "../diagnostics.ts";
import type { Attribute } from "../schema/attribute.ts";
import { toView } from "../schema/to-view.ts";
import { forEachAttribute, type Site } from "../schema/walk.ts";
import { equal, isMap, isNull, isUnknown, type Value } from "../values/value.ts";
import type { Change } from "./propose.ts";

export interface Replacement {
  readonly path: Path;
  readonly reason?: string;
}

/**
 * The attributes that require the object to be replaced. `updatable` is false for a resource without updates, where any
 * change on the server requires a new object.
 */
export function replacements(change: Omit<Change, "proposed">, planned: Value, updatable: boolean): Replacement[] {
  const { attributes, prior, config } = change;
  const found: Replacement[] = [];
  if (!isMap(prior)) return found;
  forEachAttribute(attributes, planned, [config, prior], (site) => {
    if (!isChanged(site)) return;
    const verdict = rule(site, updatable);
    if (verdict !== false) found.push({ path: site.path, ...(verdict === true ? {} : { reason: verdict }) });
  });
  return found;
}

/**
 * Whether an attribute of an existing object has another value. A computed value that is not known yet has not changed;
 * an added or removed element is a change of its collection.
 */
function isChanged({ value, parallel: [config = null, prior = null], parallelObjects }: Site): boolean {
  return isMap(parallelObjects[1] ?? null) && !equal(value, prior) && !(isUnknown(value) && isNull(config));
}

function rule({ attribute, path, value, parallel: [, prior = null] }: Site, updatable: boolean): boolean | string {
  const { replace } = attribute;
  if (typeof replace === "object") {
    const change = { prior: toView(attribute.type, prior, "state"), planned: toView(attribute.type, value, "planned") };
    return replace.decide?.(change) ?? false;
  }
  return replace ?? (!updatable && path.length === 1 && isOnServer(attribute));
}

const isOnServer = ({ local, writeOnly }: Attribute): boolean => !local && !writeOnly;
