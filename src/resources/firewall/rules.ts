import { checkPrivileges, defineResource, list, nested, type PlanContext, type Session } from "#kit";
import { announce, awaitOtherChanges, changingFirewall } from "./activity.ts";
import { awaitPlace, checkOwnerExists } from "./belonging.ts";
import { checkRules } from "./check-rules.ts";
import { isJustWritten } from "./just-written.ts";
import { editList } from "./list/edit-list.ts";
import { checkLockOut, lockOutAttributes, mayLockOut } from "./lock-out.ts";
import { rulesMoves } from "./moved-from.ts";
import { checkOwner, releaseOwner } from "./owners.ts";
import { isKnown, unknownRules } from "./planned-firewalls.ts";
import { checkReferences } from "./references.ts";
import { ruleAttributes } from "./rule-attributes.ts";
import { observeRules, parseRule, type RuleValues, toRule } from "./rule-values.ts";
import {
  checkOneScope,
  describeScope,
  ifThere,
  labelOf,
  locate,
  needsOf,
  requirePlace,
  requireScope,
  type Scope,
  scopeAttributes,
  scopeId,
  scopeOf,
  scopeValues,
} from "./scope.ts";

const type = "proxmox_firewall_rules";
const own = { type, parts: ["rules"] } as const;

const attributes = {
  ...scopeAttributes,
  ...lockOutAttributes,
  rules: {
    type: list(nested(ruleAttributes)),
    mode: "required",
    doc: "All rules, in the order in which they are applied. The first one that matches a packet decides.",
  },
} as const;

/** `proxmox_firewall_rules`. Server side: pve-firewall `src/PVE/API2/Firewall/Rules.pm`. */
export const firewallRules = defineResource({
  type,
  subcategory: "Firewall",
  doc: "All rules of one firewall, in their order: of the cluster, of a node, of a guest or of a vnet. A change takes the fewest calls, and at every moment each packet is treated as by the old rules or as by the new ones: none that both allow is refused, and none that both refuse is let in. Rules that another client adds are shown in the plan, and removed. Rules of a guest take effect if its firewall is enabled (`proxmox_firewall_options`), on network cards with `firewall = true`.",
  attributes,
  identity: ["id"],
  privateState: {},
  moves: rulesMoves(attributes),
  label: ({ id }) => labelOf("firewall rules", id),

  validate({ config, report }) {
    checkOneScope(config, report);
    checkRules(config.rules, scopeOf(config)?.kind, report);
  },

  async plan(context) {
    const { config, api, changes } = context;
    const scope = scopeOf(config);
    if (scope !== undefined) context.set("id", scopeId(scope));
    if (!api) return;
    if (scope === undefined) return checkReferences(api, context.report, scope, newRules(context));
    announce(api, context.privateState, changes.size > 0 ? keyOf(scope) : null);
    checkOwner(api, context.report, { ...own, scope, privateState: context.privateState, isChange: changes.size > 0 });
    if (changes.size > 0) await planRules(context, api, scope);
  },

  async planDelete({ api, id, state, privateState, report }) {
    if (!api) return;
    const scope = requireScope(id.id);
    announce(api, privateState, keyOf(scope));
    checkOwner(api, report, { ...own, scope, privateState, isRemoval: true });
    await checkPrivileges({ report, api, needs: await needsOf(api, scope) });
    await checkLockOut(api, report, "rules", { scope, rules: [] }, state);
  },

  async create({ api, desired, signal }) {
    const scope = scopeOf(desired) ?? { kind: "cluster" };
    await edit(api, scope, desired.rules, signal, awaitPlace);
    return { id: scopeId(scope) };
  },

  async read({ api, id, state, purpose, signal }) {
    const scope = requireScope(id.id);
    if (state !== null && isJustWritten(purpose)) {
      return { id: id.id, ...scopeValues(scope), rules: state.rules } as never;
    }
    const shown = await ifThere(api, scope, (place) => api.firewall.rules(place).list({ signal }));
    if (shown === null) return null;
    return { id: id.id, ...scopeValues(scope), rules: observeRules(shown.map(parseRule), state?.rules ?? []) } as never;
  },

  update: ({ api, id, desired, signal }) => edit(api, requireScope(id.id), desired.rules, signal),

  async delete({ api, id, signal }) {
    const scope = requireScope(id.id);
    releaseOwner(api, { ...own, scope });
    await ifThere(api, scope, async () => {
      if (await mayLockOut(api, scope)) await awaitOtherChanges(api, keyOf(scope), signal);
      await edit(api, scope, [], signal);
    });
  },

  import: ({ id }) => ({ id: scopeId(requireScope(id.trim())) }),
});

const keyOf = (scope: Scope) => `${type} ${scopeId(scope)}` as const;

const edit = (
  api: Session,
  scope: Scope,
  rules: readonly RuleValues[],
  signal: AbortSignal,
  find: typeof awaitPlace = requirePlace,
): Promise<void> =>
  changingFirewall(api, keyOf(scope), async () => {
    releaseOwner(api, { ...own, scope });
    const calls = api.firewall.rules(await find(api, scope, signal));
    await editList(api, calls, rules.map(toRule), signal);
  });

type Plan = PlanContext<typeof attributes, object, Session>;

/** Rules that the state does not have. */
function newRules({ config, prior }: Plan) {
  const before = new Set(prior?.rules.map((rule) => JSON.stringify(rule)));
  return (config.rules ?? []).flatMap((rule, index) =>
    rule === undefined || before.has(JSON.stringify(rule)) ? [] : [{ rule, path: ["rules", index] }],
  );
}

async function planRules(context: Plan, api: Session, scope: Scope): Promise<void> {
  const { config, prior, report } = context;
  if (!(await checkPrivileges({ report, api, needs: await needsOf(api, scope) }))) return;
  if (prior === null) await checkOwnerExists(api, report, scope);
  await checkReferences(api, report, scope, newRules(context));
  const rules = isKnown(config.rules) ? (config.rules as readonly RuleValues[]).map(toRule) : unknownRules;
  await checkLockOut(api, report, "rules", { scope, rules }, config);
  if (prior === null) await warnOfExisting(report, api, scope, config.rules as readonly RuleValues[]);
}

/** A list is always there: what it has is replaced, which the plan of a creation does not show on its own. */
async function warnOfExisting(
  report: Plan["report"],
  api: Session,
  scope: Scope,
  desired: readonly RuleValues[] | undefined,
): Promise<void> {
  if (desired === undefined) return;
  const shown = await ifThere(api, scope, (place) => api.firewall.rules(place).list(), locate);
  if (shown === null || shown.length === 0) return;
  report.warning(
    null,
    "Existing rules are replaced",
    `The firewall of ${describeScope(scope)} has ${shown.length} rule${shown.length === 1 ? "" : "s"} already. Those that are not in \`rules\` will be removed. To see them in a plan first, import them: \`id = ${JSON.stringify(scopeId(scope))}\`.`,
  );
}
