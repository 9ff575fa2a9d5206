import { randomUUID } from "node:crypto";
import type { Report, Session } from "#kit";
import { describeScope, type Scope, scopeId } from "./scope.ts";

/** What a firewall consists of. */
type Part = "aliases" | "IP sets" | "options" | "rules";

const policy = "proxmox_firewall_policy";

/** Types that own all of a part. */
const whole = [policy, "proxmox_firewall_options", "proxmox_firewall_rules"];

interface Owner {
  readonly type: string;
  /** The same in all plans of one resource, since Terraform plans what is replaced twice. */
  readonly holder: string;
  readonly isRemoval: boolean;
  readonly isChange: boolean;
}

interface Claim {
  readonly type: string;
  readonly scope: Scope;
  readonly parts: readonly Part[];
  /** Of the resource: distinguishes its plans from those of another one of the same type. */
  readonly privateState: object;
  readonly isRemoval?: boolean;
  /** Whether the plan changes anything. */
  readonly isChange?: boolean;
}

const ownersOf = (api: Session, part: Part, scope: Scope): Owner[] =>
  api.store.keep(`owners of ${part} of ${scopeId(scope)}`, () => []);

/**
 * Two resources that own the same part of a firewall undo each other's changes, and one that is removed takes along what the
 * other one writes. The second of the two is refused.
 */
export function checkOwner(
  api: Session,
  report: Pick<Report, "error">,
  { type, scope, parts, privateState, isRemoval = false, isChange = true }: Claim,
): void {
  const noted = privateState as { owner?: string };
  noted.owner ??= randomUUID();
  const own: Owner = { type, holder: noted.owner, isRemoval, isChange };
  const [other] = parts.flatMap((part) => {
    const owners = ownersOf(api, part, scope);
    const others = owners.filter((one) => one.holder !== own.holder && isConflict(one, own));
    owners.push(own);
    return others;
  });
  if (other !== undefined) report.error(null, "Two owners of one firewall", explain(scope, own, other));
}

/** The change is made: what was planned does not count any more. */
export function releaseOwner(api: Session, { type, scope, parts }: Pick<Claim, "type" | "scope" | "parts">): void {
  for (const part of parts) {
    const owners = ownersOf(api, part, scope);
    owners.splice(0, owners.length, ...owners.filter((one) => one.type !== type));
  }
}

/** Two that find nothing to change agree. */
function isConflict(a: Owner, b: Owner): boolean {
  if ((a.isRemoval && b.isRemoval) || (!a.isChange && !b.isChange)) return false;
  return a.type === policy || b.type === policy || (a.type === b.type && whole.includes(a.type));
}

function explain(scope: Scope, own: Owner, other: Owner): string {
  const what = `the firewall of ${describeScope(scope)}`;
  if (own.isRemoval || other.isRemoval) {
    const [gone, kept] = own.isRemoval ? [own, other] : [other, own];
    return `This plan removes a \`${gone.type}\` of ${what} and has a \`${kept.type}\` of the same firewall: the removal would take along what the other one writes. If the resource has another name in the configuration, add a \`moved\` block. If another resource takes its place, give it up without its removal: a \`removed\` block with \`lifecycle { destroy = false }\`.`;
  }
  return own.type === other.type
    ? `Two resources of the type \`${own.type}\` manage ${what}, and would undo each other's changes: write everything into one of them.`
    : `\`${other.type}\` and \`${own.type}\` both manage ${what}, and would undo each other's changes. A policy has all of its options, aliases, sets and rules: keep either the policy or the single resources.`;
}
