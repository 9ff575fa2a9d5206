import { alreadyExists, checkPrivileges, createOnce, defineResource, list, nested, provenWrite, string } from "#kit";
import { announce, changingFirewall } from "./activity.ts";
import { checkRules } from "./check-rules.ts";
import { isJustWritten } from "./just-written.ts";
import { editList } from "./list/edit-list.ts";
import { checkLockOut, lockOutAttributes } from "./lock-out.ts";
import { groupMoves } from "./moved-from.ts";
import { planName } from "./planned-names.ts";
import { checkReferences, groupsOf } from "./references.ts";
import { comment, groupRuleAttributes, securityGroupName } from "./rule-attributes.ts";
import { observeRules, parseRule, toRule } from "./rule-values.ts";
import { clusterScope, needsOf } from "./scope.ts";

const type = "proxmox_firewall_security_group";

const attributes = {
  id: {
    type: string(),
    mode: "computed",
    instead: "Set `name`.",
    doc: "The name that it was created or imported by: Terraform's identity of an object cannot change.",
  },
  name: {
    type: securityGroupName,
    mode: "required",
    doc: "Name of the group. Another name renames it: Proxmox VE changes the rules of the cluster, of nodes and of guests that name it, but not those of vnets.",
  },
  comment: { type: comment, mode: "optional", doc: "A comment." },
  rules: {
    type: list(nested(groupRuleAttributes)),
    mode: "optional",
    doc: "All rules of the group, in their order.",
  },
  ...lockOutAttributes,
} as const;

/** `proxmox_firewall_security_group`. Server side: pve-firewall `src/PVE/API2/Firewall/Groups.pm`. */
export const firewallSecurityGroup = defineResource({
  type,
  subcategory: "Firewall",
  doc: "A named list of rules, which rules of other firewalls insert with `security_group`. Its rules are changed as those of `proxmox_firewall_rules`: with the fewest calls, and without a gap at any moment.",
  attributes,
  identity: ["id"],
  privateState: {},
  moves: groupMoves(attributes),
  nameOf: ({ name }) => name,
  label: ({ name }) => (name ? `security group "${name}"` : "security group"),

  validate: ({ config, report }) => checkRules(config.rules, "group", report),

  async plan(context) {
    const { api, config, prior, changes, report, privateState } = context;
    const { name } = config;
    if (prior === null && name !== undefined) context.set("id", name);
    if (api) announce(api, privateState, null);
    if (!api || changes.size === 0 || name === undefined) return;
    announce(api, privateState, keyOf(prior?.id ?? name));
    const isOther = prior?.name !== name;
    if (isOther) api.planned.add("firewall_group", name);
    if (!(await checkPrivileges({ report, api, needs: await needsOf(api, clusterScope) }))) return;
    if (isOther && !api.managed.has(type, name) && (await groupsOf(api)).some(({ group }) => group === name)) {
      const { summary, detail } = existing(name);
      report.error("name", summary, detail);
    }
    const before = new Set(prior?.rules?.map((rule) => JSON.stringify(rule)));
    const named = (config.rules ?? []).flatMap((rule, index) =>
      rule === undefined || before.has(JSON.stringify(rule)) ? [] : [{ rule, path: ["rules", index] }],
    );
    await checkReferences(api, report, clusterScope, named);
    if (prior !== null && isOther) planName.group(api, prior.name, []);
    planName.group(api, name, config.rules);
    if (prior !== null) await checkLockOut(api, report, "rules", { scope: clusterScope }, config);
  },

  async planDelete({ api, id, state, privateState, report }) {
    if (!api) return;
    announce(api, privateState, keyOf(id.id));
    if (!(await checkPrivileges({ report, api, needs: await needsOf(api, clusterScope) }))) return;
    planName.group(api, state.name, []);
    await checkLockOut(api, report, "rules", { scope: clusterScope }, state);
  },

  create: ({ api, desired: { name, comment: text }, signal }) =>
    changingFirewall(api, keyOf(name), async () => {
      const { groups } = api.firewall;
      const find = async () => (await groups.list({ signal })).find(({ group }) => group === name) ?? null;
      const make = () => groupsOf.changing(api, () => groups.create(name, text, { signal }));
      await createOnce({ api, signal, find, make, exists: existing(name), path: "name" });
      api.planned.fulfil("firewall_group", name);
      return { id: name };
    }),

  settle: ({ api, id, desired, signal }) =>
    changingFirewall(api, keyOf(id.id), () =>
      editList(api, api.firewall.groups.rules(desired.name), (desired.rules ?? []).map(toRule), signal),
    ),

  async read({ api, id: { id }, state, purpose, signal }) {
    const { groups } = api.firewall;
    const name = state?.name ?? id;
    const all = await (purpose === "refresh" ? groupsOf(api) : groups.list({ signal }));
    const group = all.find((one) => one.group === name);
    if (group === undefined) return null;
    if (state !== null && isJustWritten(purpose)) {
      return { id, name, comment: group.comment || null, rules: state.rules } as never;
    }
    const shown = (await groups.rules(name).list({ signal })).map(parseRule);
    const rules = observeRules(shown, state?.rules ?? [], "group");
    return { id, name, comment: group.comment || null, rules: rules as never };
  },

  update: ({ api, id, prior, desired, changes, signal }) =>
    changingFirewall(api, keyOf(id.id), async () => {
      const { groups } = api.firewall;
      const { name, comment: text } = desired;
      if (changes.has("name") || changes.has("comment")) {
        const isDone = async () => {
          const all = await groups.list({ signal });
          const isThere = all.some(({ group, comment: now }) => group === name && (now || null) === text);
          return isThere && (prior.name === name || all.every(({ group }) => group !== prior.name));
        };
        const write = () => groupsOf.changing(api, () => groups.rename(prior.name, name, text ?? "", { signal }));
        await provenWrite(api, { write, isDone, signal });
        api.planned.fulfil("firewall_group", name);
      }
      await editList(api, groups.rules(name), (desired.rules ?? []).map(toRule), signal);
    }),

  delete: ({ api, id, state: { name }, signal }) =>
    changingFirewall(api, keyOf(id.id), async () => {
      const { groups } = api.firewall;
      if ((await groups.list({ signal })).every(({ group }) => group !== name)) return;
      await editList(api, groups.rules(name), [], signal);
      await groupsOf.changing(api, () => groups.remove(name, { signal }));
    }),
});

const keyOf = (id: string) => `${type} ${id}` as const;

const existing = (name: string) =>
  alreadyExists({
    type,
    id: name,
    label: `Security group "${name}"`,
    otherwise: "Otherwise choose another `name`.",
  });
