import type { Report, Session } from "#kit";
import { describeScope, type Scope, scopeId } from "./scope.ts";

/** What a firewall consists of. */
type Part = "aliases" | "IP sets" | "options" | "rules";

const policy = "proxmox_firewall_policy";

/** A policy owns all of a firewall, so no other resource can manage a part of it. The second of the two is refused. */
export function checkOwner(
  api: Session,
  report: Pick<Report, "error">,
  type: string,
  scope: Scope,
  parts: readonly Part[],
): void {
  const owners = api.store.keep("owners of firewalls", () => new Map<string, Set<string>>());
  const others = parts.flatMap((part) => {
    const key = `${part} of ${scopeId(scope)}`;
    const types = owners.get(key) ?? new Set();
    owners.set(key, types.add(type));
    return [...types].filter((other) => other !== type && (other === policy || type === policy));
  });
  const [other] = others;
  if (other === undefined) return;
  report.error(
    null,
    "Two owners of one firewall",
    `\`${other}\` and \`${type}\` both manage the firewall of ${describeScope(scope)}, and would undo each other's changes. A policy has all of its options, aliases, sets and rules: keep either the policy or the single resources.`,
  );
}
