import type { Rule } from "./list/rule.ts";
import type { ScopeKind } from "./scope.ts";

const defaults = { in: "DROP", out: "ACCEPT", forward: "ACCEPT" } as const;

const directionsOf: Readonly<Record<ScopeKind, readonly (keyof typeof defaults)[]>> = {
  cluster: ["in", "out", "forward"],
  node: [],
  guest: ["in", "out"],
  vnet: ["forward"],
};

/** The rules that take effect, in their order, and what happens to all other packets. */
export function tableOf(kind: ScopeKind, rules: readonly Rule[], options: Readonly<Record<string, unknown>>): string[] {
  const lines = rules.filter(({ isEnabled }) => isEnabled).map(cellsOf);
  const policies = directionsOf[kind].map((direction) => [
    direction,
    String(options[`policy_${direction}`] ?? defaults[direction]),
    "all other packets",
  ]);
  const widths = [0, 1].map((column) =>
    Math.max(...[...lines, ...policies].map((cells) => cells[column]?.length ?? 0)),
  );
  const isOn = options["enabled"] ?? kind === "node";
  const text = [...lines, ...policies].map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return isOn ? text : ["(the firewall is not enabled)", ...text];
}

function cellsOf(rule: Rule): string[] {
  const ports = [rule.sport && `from port ${rule.sport}`, rule.dport && `port ${rule.dport}`].filter(Boolean);
  const what = [
    rule.macro,
    rule.proto,
    ...ports,
    rule["icmp-type"],
    rule.source && `from ${rule.source}`,
    rule.dest && `to ${rule.dest}`,
    rule.iface && `on ${rule.iface}`,
    rule.log && `log ${rule.log}`,
  ].filter(Boolean);
  const text = `${what.join(" ") || (rule.type === "group" ? "" : "everything")}${rule.comment ? ` # ${rule.comment}` : ""}`;
  return [rule.type, rule.action, text.trim()];
}
