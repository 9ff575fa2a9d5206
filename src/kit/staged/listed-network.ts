import type { Session } from "../session.ts";
import { type StagedLines, stagedLines } from "./staged-lines.ts";

/** The interfaces of a node with what is staged: one list for all that a run reads. A write forgets it. */
export const listedNetwork = (api: Session, node: string) =>
  api.store.remember(`/nodes/${node}/network`, () => api.network.listStaged(node));

type Listed = Awaited<ReturnType<Session["network"]["listStaged"]>>;

/** What differs from what the node runs. PVE lists interfaces in any order, with their place in the file as `priority`. */
export function stagedIn({ interfaces, changes }: Listed): StagedLines {
  const placeOf = (one: Listed["interfaces"][number]) => Number(one["priority"] ?? 0);
  return stagedLines(
    changes ?? "",
    interfaces.toSorted((a, b) => placeOf(a) - placeOf(b)),
  );
}
