import { awaitReference, checkReference, commitStaged, type Report, type Session } from "#kit";
import type { FirewallPlace } from "#pve";
import { requirePlace, type Scope } from "./scope.ts";

/** What a firewall belongs to, and the attribute that names it; null: the cluster. */
function ownerOf(scope: Scope) {
  if (scope.kind === "cluster") return null;
  return scope.kind === "guest"
    ? { kind: scope.kind, name: String(scope.vmid), attribute: "vmid" }
    : { kind: scope.kind, name: scope.name, attribute: scope.kind };
}

/** Refuses the firewall of a guest, node or vnet that does not exist and that the same plan does not create. */
export async function checkOwnerExists(
  api: Session,
  report: Pick<Report, "error">,
  scope: Scope,
  path: readonly string[] = [],
): Promise<void> {
  const owner = ownerOf(scope);
  if (owner === null) return;
  await checkReference(api, report, { kind: owner.kind, name: owner.name, path: [...path, owner.attribute] });
}

/** Where a new firewall is, once its guest or vnet exists: the same run may create it. A vnet has one after its commit. */
export async function awaitPlace(api: Session, scope: Scope, signal: AbortSignal): Promise<FirewallPlace> {
  const owner = ownerOf(scope);
  if (owner !== null) await awaitReference(api, { ...owner, signal });
  if (scope.kind === "vnet") await commitStaged(api, signal);
  return requirePlace(api, scope);
}
