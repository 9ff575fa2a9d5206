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
