import { oncePerRunFor, type Session } from "#kit";
import type { Rule } from "./list/rule.ts";
import { readOptions } from "./options-model.ts";
import { parseRule } from "./rule-values.ts";
import { parseScope, requirePlace, type Scope, scopeId } from "./scope.ts";

/** What a plan changes of a firewall; the rest stays as it is. */
export interface PlannedFirewall {
  readonly rules?: readonly Rule[];
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Rules that are not known yet count as if they allowed everything. */
export const unknownRules: readonly Rule[] = [{ type: "in", action: "ACCEPT", isEnabled: true }];

/** Whether nothing in it waits for other resources. */
export function isKnown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined;
  return Object.values(value).every(isKnown);
}

const plannedIn = (api: Session) => api.store.keep("planned firewalls", () => new Map<string, PlannedFirewall>());

export function planFirewall(api: Session, scope: Scope, change: PlannedFirewall): void {
  const planned = plannedIn(api);
  planned.set(scopeId(scope), { ...planned.get(scopeId(scope)), ...change });
}

/** A firewall as it will be after this plan, as far as its resources have been planned. */
export async function firewallAfter(api: Session, scope: Scope): Promise<Required<PlannedFirewall>> {
  const { rules, options } = plannedIn(api).get(scopeId(scope)) ?? {};
  return {
    rules: rules ?? (await rulesOf(api, scopeId(scope))),
    options: options ?? (await optionsOf(api, scopeId(scope))),
  };
}

const rulesOf = oncePerRunFor(async (api: Session, id: string) => {
  const place = await requirePlace(api, parseScope(id) ?? { kind: "cluster" });
  return (await api.firewall.rules(place).list()).map(parseRule);
});

const optionsOf = oncePerRunFor(async (api: Session, id: string) => {
  const scope = parseScope(id) ?? { kind: "cluster" };
  return readOptions(api, scope.kind, await requirePlace(api, scope));
});
