import { Failure } from "#framework";
import type { NodeResource } from "#pve";
import { enumerate } from "./enumerate.ts";
import { missing } from "./references.ts";
import type { Session } from "./session.ts";

/** The node in the attribute `node`; an unknown name is refused with the available ones. */
export async function getNode(api: Session, name: string): Promise<NodeResource> {
  const { nodes } = await api.inventory.snapshot();
  const node = nodes.get(name);
  if (node !== undefined) return node;
  const { summary, detail } = missing({ kind: "node", name }, nodes.keys());
  throw new Failure(summary, detail, { path: "node" });
}

/**
 * An object on an offline node cannot be imported: nothing is known of it. Without this error Terraform would call it
 * "non-existent", and propose to create it.
 */
export const notImportable = (node: string, label: string): Failure =>
  new Failure(
    `Node ${node} is offline`,
    `${label} is on ${node}, which does not answer, so that it cannot be read. It was not imported. Import it when ${node} is online; do not create it again.`,
  );

/** That node alone, which then must be online, or every node that is. */
export async function nodesToAsk(api: Session, name: string | null): Promise<string[]> {
  const { nodes, isOnline } = await api.inventory.snapshot();
  const online = [...nodes.keys()].filter(isOnline);
  if (name === null) return online.sort();
  await getNode(api, name);
  if (isOnline(name)) return [name];
  const detail = `Nothing can be asked of it now. Online: ${enumerate(online)}.`;
  throw new Failure(`Node ${name} is offline`, detail, { path: "node" });
}
