import type { Session } from "../session.ts";

/** The interfaces of a node with what is staged: one list for all that a run reads. A write forgets it. */
export const listedNetwork = (api: Session, node: string) =>
  api.store.remember(`/nodes/${node}/network`, () => api.network.listStaged(node));
