import { checkReference, type Report, type Session } from "#kit";

interface Plan {
  readonly config: { readonly id?: string | undefined };
  readonly prior: object | null;
  readonly report: Report<"id">;
}

/** A pool inside another one requires that one. */
export async function planOuterPool({ config: { id }, prior, report }: Plan, api: Session): Promise<void> {
  const outer = id?.slice(0, Math.max(0, id.lastIndexOf("/")));
  if (prior === null && outer) await checkReference(api, report, { kind: "pool", name: outer, path: "id" });
}
