import type { CustomWire } from "#kit";
import type { ConfigObject } from "#pve";

const isForNodes = (type: unknown) => type === "node-affinity";

/**
 * Since 9.2.6, PVE shows `affinity = positive` of every rule for nodes, whether it is stored or not; older versions refuse the
 * option. Read as the default and never sent, it is the same on both. Server side: pve-ha-manager
 * `src/PVE/HA/Rules/NodeAffinity.pm`, and `set_rule_defaults` of `src/PVE/HA/Rules.pm`.
 */
export function withoutDefault({ affinity, ...rule }: ConfigObject): ConfigObject {
  const isDefault = isForNodes(rule["type"]) && affinity === "positive";
  return affinity === undefined || isDefault ? rule : { ...rule, affinity };
}

export const nodeAffinity: CustomWire = {
  parse: (rule) => rule.raw("affinity") ?? (isForNodes(rule.raw("type")) ? "positive" : null),
  patch(rule, affinity) {
    if (isForNodes(rule.raw("type")) && affinity === "positive") rule.set("affinity", null);
  },
};
