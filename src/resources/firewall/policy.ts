import { checkPrivileges, defineResource, type PlanContext, type Report, type Session } from "#kit";
import type { FirewallPlace } from "#pve";
import { announce, changingFirewall } from "./activity.ts";
import { awaitPlace, checkOwnerExists } from "./belonging.ts";
import { checkRules } from "./check-rules.ts";
import { namedAddress } from "./formats.ts";
import { checkEntries } from "./ipset-entries.ts";
import { isJustWritten } from "./just-written.ts";
import { editList } from "./list/edit-list.ts";
import type { Rule } from "./list/rule.ts";
import { checkLockOut } from "./lock-out.ts";
import { readOptions, writeOptions } from "./options-model.ts";
import { checkOwner, releaseOwner } from "./owners.ts";
import { isKnown, unknownRules } from "./planned-firewalls.ts";
import { noOptions, optionsIn, policyAttributes } from "./policy-attributes.ts";
import {
  type AliasValues,
  hasNames,
  planNamesOf,
  readAliases,
  readSets,
  removeOthers,
  type SetValues,
  writeAliases,
  writeSets,
} from "./policy-parts.ts";
import { tableOf } from "./policy-table.ts";
import { checkAddress, checkReferences, plannedName } from "./references.ts";
import { observeRules, parseRule, type RuleValues, toRule } from "./rule-values.ts";
import {
  checkOneScope,
  clusterScope,
  describeScope,
  ifThere,
  labelOf,
  needsOf,
  requirePlace,
  requireScope,
  type Scope,
  scopeId,
  scopeKindOf,
  scopeOf,
  scopeValues,
} from "./scope.ts";

const type = "proxmox_firewall_policy";
const own = { type, parts: ["aliases", "IP sets", "options", "rules"] } as const;

type Plan = PlanContext<typeof policyAttributes, object, Session>;

/** All of a firewall. */
interface Policy {
  readonly options: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, AliasValues>>;
  readonly ipsets: Readonly<Record<string, SetValues>>;
  readonly rules: readonly Rule[];
}

const nothing: Policy = { options: {}, aliases: {}, ipsets: {}, rules: [] };

/** `proxmox_firewall_policy`. Server side: pve-firewall `src/PVE/API2/Firewall/*.pm`. */
export const firewallPolicy = defineResource({
  type,
  subcategory: "Firewall",
  doc: "All of one firewall in one resource: options, aliases, IP sets and rules of the cluster, of a node, of a guest or of a vnet. The plan shows the resulting table. An apply writes it in an order that opens no gap: names first, then rules that come, options, rules that go, and names that nothing uses any more; a firewall is enabled last. No other resource can manage a part of the same firewall. Security groups are resources of their own.",
  attributes: policyAttributes,
  identity: ["id"],
  privateState: {},
  label: ({ id }) => labelOf("firewall policy", id),

  validate({ config, report }) {
    checkOneScope(config, report);
    const scope = scopeOf(config);
    checkRules(config.rules, scope?.kind, report);
    for (const [name, set] of Object.entries(config.ipsets ?? {})) {
      checkEntries(Object.keys(set?.entries ?? {}), report, ["ipsets", name, "entries"]);
    }
    if (scope) checkParts(config, scope, report);
  },

  async plan(context) {
    const { api, config, changes, prior } = context;
    const scope = scopeOf(config);
    if (scope !== undefined) context.set("id", scopeId(scope));
    planTable(context);
    if (!api) return;
    if (scope === undefined) return checkReferences(api, context.report, scope, newRules(context));
    checkOwner(api, context.report, {
      ...own,
      scope,
      privateState: context.privateState,
      isChange: prior === null || changes.size > 0,
    });
    const isChanged = prior === null || changes.size > 0;
    announce(api, context.privateState, isChanged ? keyOf(scope) : null);
    if (isChanged) await planPolicy(context, api, scope);
  },

  async planDelete({ api, id, state, privateState, report }) {
    if (!api) return;
    const scope = requireScope(id.id);
    announce(api, privateState, keyOf(scope));
    checkOwner(api, report, { ...own, scope, privateState, isRemoval: true });
    await checkPrivileges({ report, api, needs: await needsOf(api, scope) });
    if (scope.kind === "cluster") planNamesOf(api, state, nothing);
    await checkLockOut(api, report, "rules", { scope, rules: [], options: {} }, state);
  },

  create: async ({ api, desired, signal }) => {
    const scope = scopeOf(desired) ?? clusterScope;
    await write(api, scope, await awaitPlace(api, scope, signal), policyOf(desired), signal);
    return { id: scopeId(scope) };
  },

  async read({ api, id, state, purpose, signal }) {
    const scope = requireScope(id.id);
    if (state !== null && isJustWritten(purpose)) {
      const { options, aliases, ipsets, rules, table } = state;
      return { id: id.id, ...scopeValues(scope), options, aliases, ipsets, rules, table } as never;
    }
    const found = await ifThere(api, scope, (place) => readAll(api, scope, place, state as never, signal));
    return found === null ? null : ({ id: id.id, ...scopeValues(scope), ...found } as never);
  },

  update: async ({ api, id, desired, signal }) => {
    const scope = requireScope(id.id);
    await write(api, scope, await requirePlace(api, scope), policyOf(desired), signal);
  },

  async delete({ api, id, signal }) {
    const scope = requireScope(id.id);
    releaseOwner(api, { ...own, scope });
    await ifThere(api, scope, (place) => write(api, scope, place, nothing, signal));
  },

  import: ({ id }) => ({ id: scopeId(requireScope(id.trim())) }),
});

interface Given {
  readonly options: unknown;
  readonly aliases: unknown;
  readonly ipsets: unknown;
  readonly rules: unknown;
}

const policyOf = ({ options, aliases, ipsets, rules }: Given): Policy => ({
  options: (options ?? {}) as Policy["options"],
  aliases: (aliases ?? {}) as Policy["aliases"],
  ipsets: (ipsets ?? {}) as Policy["ipsets"],
  rules: ((rules ?? []) as RuleValues[]).map(toRule),
});

async function readAll(api: Session, { kind }: Scope, place: FirewallPlace, state: Given | null, signal: AbortSignal) {
  const expected = { aliases: null, ipsets: null, rules: [], ...state } as unknown as {
    aliases: Policy["aliases"] | null;
    ipsets: Policy["ipsets"] | null;
    rules: RuleValues[] | null;
  };
  const [options, listed, aliases, ipsets] = await Promise.all([
    readOptions(api, kind, place, signal),
    api.firewall.rules(place).list({ signal }),
    hasNames({ kind }) ? readAliases(api, place, expected.aliases) : {},
    hasNames({ kind }) ? readSets(api, place, expected.ipsets) : {},
  ]);
  const rules = listed.map(parseRule);
  return {
    options: Object.values(options).every((value) => value === null) ? null : { ...noOptions, ...options },
    aliases,
    ipsets,
    rules: observeRules(rules, expected.rules ?? []),
    table: tableOf(kind, rules, options),
  };
}

/** Writes all of it in an order that opens no gap. */
function write(api: Session, scope: Scope, place: FirewallPlace, policy: Policy, signal: AbortSignal): Promise<void> {
  releaseOwner(api, { ...own, scope });
  const { options, aliases, ipsets, rules } = policy;
  const key = keyOf(scope);
  const all = Object.fromEntries(optionsIn[scope.kind].map((name) => [name, options[name] ?? null]));
  const isOn = (values: Policy["options"]) => (values["enabled"] ?? scope.kind === "node") === true;
  const work = async () => {
    const before = await readOptions(api, scope.kind, place, signal);
    const set = () => writeOptions(api, scope, place, all, { key, signal });
    if (isOn(before) && !isOn(all)) await set();
    if (hasNames(scope)) {
      await writeAliases(api, place, aliases, signal);
      await writeSets(api, place, ipsets, signal);
    }
    // A firewall that is off treats no packet, whatever its rules and policies are.
    const isOtherPolicy = policies.some((name) => (before[name] ?? null) !== (all[name] ?? null));
    const between = isOn(before) && isOtherPolicy ? set : undefined;
    await editList(api, api.firewall.rules(place), rules, signal, between);
    if (hasNames(scope)) await removeOthers(api, place, { ipsets, aliases }, signal);
  };
  // Enabling the cluster's firewall waits for other changes, and must not wait for itself.
  return changingFirewall(api, key, work).then(() => writeOptions(api, scope, place, all, { key, signal }));
}

const keyOf = (scope: Scope) => `${type} ${scopeId(scope)}` as const;

const policies = ["policy_in", "policy_out", "policy_forward"];

/** Parts that a firewall of this kind does not have. */
function checkParts(
  config: { readonly options: unknown; readonly aliases: unknown; readonly ipsets: unknown },
  scope: Scope,
  report: Pick<Report, "error">,
): void {
  const { options, aliases, ipsets } = config;
  const has = optionsIn[scope.kind];
  for (const [name, value] of Object.entries((options ?? {}) as object)) {
    if (value === null || value === undefined || has.includes(name)) continue;
    report.error(
      ["options", name],
      "Not an option of this firewall",
      `The firewall of ${describeScope(scope)} has no option \`${name}\` (${JSON.stringify(value)}). It has: ${has.join(", ")}.`,
    );
  }
  for (const [name, value] of Object.entries({ aliases, ipsets })) {
    if (!value || hasNames(scope)) continue;
    report.error(
      name,
      "No names in this firewall",
      `Aliases and IP sets belong to the cluster or to a guest, not to ${describeScope(scope)}. Create them for the cluster, and name them as \`dc/NAME\` and \`+dc/NAME\`.`,
    );
  }
}

/** The table is known as soon as rules and options are. */
function planTable(context: Plan): void {
  const { rules, options } = context.planned;
  const kind = scopeKindOf(context.config);
  if (kind !== undefined && isKnown(rules) && isKnown(options))
    context.set(
      "table",
      tableOf(kind, ((rules ?? []) as RuleValues[]).map(toRule), (options ?? {}) as object as never),
    );
  else context.setUnknown("table");
}

/** Whether a name may be one of the policy's own, which are not known yet. */
function isOpen(text: string, { aliases, ipsets }: Pick<Partial<Given>, "aliases" | "ipsets">): boolean {
  const kind = namedAddress(text)?.kind;
  return (kind === "alias" && aliases === undefined) || (kind === "ipset" && ipsets === undefined);
}

/** Rules that the state does not have. */
function newRules({ config, prior }: Plan) {
  const before = new Set(prior?.rules?.map((rule) => JSON.stringify(rule)));
  const judged = (text: string | null | undefined) => (text && isOpen(text, config) ? null : text);
  return (config.rules ?? []).flatMap((rule, index) => {
    if (rule === undefined || before.has(JSON.stringify(rule))) return [];
    return [{ rule: { ...rule, source: judged(rule.source), dest: judged(rule.dest) }, path: ["rules", index] }];
  });
}

async function planPolicy(context: Plan, api: Session, scope: Scope): Promise<void> {
  const { config, prior, report } = context;
  for (const name of Object.keys(config.aliases ?? {})) api.planned.add("firewall_alias", plannedName(scope, name));
  for (const name of Object.keys(config.ipsets ?? {})) api.planned.add("firewall_ipset", plannedName(scope, name));
  if (!(await checkPrivileges({ report, api, needs: await needsOf(api, scope) }))) return;
  if (prior === null) await checkOwnerExists(api, report, scope);
  await checkReferences(api, report, scope, newRules(context));
  const rules = isKnown(config.rules) ? ((config.rules ?? []) as RuleValues[]).map(toRule) : unknownRules;
  const options = isKnown(config.options) ? ((config.options ?? {}) as Policy["options"]) : {};
  if (scope.kind === "cluster") planNamesOf(api, prior, config);
  await checkLockOut(api, report, "rules", { scope, rules, options }, config);
  for (const [name, set] of Object.entries(config.ipsets ?? {})) {
    for (const text of Object.keys(set?.entries ?? {})) {
      if (prior?.ipsets?.[name]?.entries?.[text] !== undefined || isOpen(text, config)) continue;
      await checkAddress(api, report, scope, text, ["ipsets", name, "entries", text]);
    }
  }
}
