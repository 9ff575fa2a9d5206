import { Failure, type Report } from "#framework";
import { oncePerRun } from "./once-per-run.ts";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";

/** Long enough that no two clusters share it, and short in a state with thousands of resources. */
const length = 23;

/** The cluster by its certificate authority, which every user may read. Null: it is not shown. */
const identityOf = oncePerRun(async (api: Session): Promise<string | null> => {
  const fingerprint = api.clusterOfEndpoints() ?? (await readAuthority(api));
  return fingerprint?.slice(0, length) ?? null;
});

async function readAuthority(api: Session): Promise<string | undefined> {
  try {
    const all = await api.certificates.list("localhost");
    return all.find(({ filename }) => filename.endsWith("pve-root-ca.pem"))?.fingerprint;
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return undefined;
  }
}

/** Decision 034. */
export const clusterIdentity = {
  of: (api: Session) => identityOf(api),
  modeOf: ({ settings: { clusterCheck, endpoints } }: Session) =>
    clusterCheck === "off" ? "ignore" : endpoints.length > 1 ? "remember" : "compare",
  refusal: (api: Session) =>
    new Failure(
      "Another cluster",
      `${api.endpointInUse() ?? "The endpoint"} belongs to another cluster than the one that this resource is on, so nothing is known about the resource. All \`endpoints\` have to be nodes of one cluster: correct them. If the cluster was installed anew, or has got another certificate authority, \`cluster_check = "off"\` in the provider block, or PROXMOX_VE_CLUSTER_CHECK=off in the environment, forgets the old one in one apply.`,
    ),
} as const;

/** Says that the first endpoint does not answer: the run works, but the next failure may be the last one. */
export function warnOfFailOver(api: Session, report: Pick<Report<"endpoints">, "warning">): void {
  const [first, ...others] = api.settings.endpoints;
  const used = api.endpointInUse();
  if (first === undefined || used === undefined || others.length === 0 || used === first.origin) return;
  report.warning(
    "endpoints",
    "Endpoint not reachable",
    `${first.origin} does not answer, so this run uses ${used}. Check that node, or take its address out of \`endpoints\`.`,
  );
}
