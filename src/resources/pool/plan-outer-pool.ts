import type { Report, Session } from "#kit";

interface Plan {
  readonly config: { readonly id?: string | undefined };
  readonly prior: object | null;
  readonly report: Report<"id">;
}

/** A pool inside another needs that one. */
export async function planOuterPool({ config: { id }, prior, report }: Plan, api: Session): Promise<void> {
  const outer = id?.slice(0, Math.max(0, id.lastIndexOf("/")));
  if (prior !== null || !outer || (await api.pools.find(outer)) || (await api.planned.includes("pool", outer))) return;
  report.error(
    "id",
    "No such pool",
    `Pool \`${outer}\`, which \`${id}\` is to be in, does not exist. Create it first, and refer to it: "\${proxmox_pool.NAME.id}/…".`,
  );
}
