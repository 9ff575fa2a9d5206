import {
  alreadyExists,
  certificateFacts,
  checkPrivileges,
  checkReference,
  customOf,
  type PlanContext,
  type Report,
  type Session,
} from "#kit";
import type { attributes } from "./certificate-attributes.ts";

type Plan = PlanContext<typeof attributes, object, Session>;

const day = 24 * 60 * 60 * 1000;

/** Whether the certificate changes, and whether everything that the order names is there. */
export async function planAcmeCertificate(context: Plan): Promise<void> {
  const { api, config, prior, changes, report } = context;
  if (prior === null && config.account === null) context.set("account", "default");
  if (prior !== null) {
    const isAnother = changes.has("domains") || changes.has("account");
    if (isAnother || isDue(prior.not_after, config.renew_days)) {
      for (const name of Object.keys(certificateFacts)) context.setUnknown([name]);
      if (!isAnother) refuseEndless(context, prior);
    }
  }
  if (api === undefined || config.node === undefined || context.changes.size === 0) return;
  if (!(await checkReference(api, report, { kind: "node", name: config.node, path: "node" }))) return;
  await requireModify(api, report, config.node);
  if (changes.has("domains") || changes.has("account")) await checkOrder(context, api);
  if (prior !== null || api.managed.has("proxmox_acme_certificate", config.node)) return;
  if (customOf(await api.certificates.list(config.node)) === null) return;
  const { summary, detail } = existing(config.node);
  report.error("node", summary, detail);
}

const isDue = (end: string | undefined, days: number | null | undefined): boolean =>
  Boolean(end && days) && Date.parse(end ?? "") - Date.now() < (days ?? 0) * day;

/** A renewed certificate would be due again at once. Authorities date certificates back, by up to a day. */
function refuseEndless({ config, report }: Plan, { not_before, not_after }: NonNullable<Plan["prior"]>): void {
  const lifetime = Math.floor((Date.parse(not_after ?? "") - Date.parse(not_before ?? "")) / day);
  const days = config.renew_days ?? 0;
  if (!(days >= lifetime - 1)) return;
  report.error(
    "renew_days",
    "Certificate would be renewed by every plan",
    `The authority issues certificates for ${lifetime} days, and \`renew_days = ${days}\` renews one that ends within ${days} days: that is each one, from its first day. Give fewer days, such as ${Math.max(1, Math.floor(lifetime / 3))}.`,
  );
}

/** The account and the plugins exist, or this plan creates them. */
async function checkOrder({ config, report }: Plan, api: Session): Promise<void> {
  const { account, domains } = config;
  if (account !== undefined) {
    await checkReference(api, report, { kind: "acme_account", name: account ?? "default", path: "account" });
  }
  for (const [domain, given] of Object.entries(domains ?? {})) {
    const plugin = given?.plugin;
    if (!plugin) continue;
    await checkReference(api, report, { kind: "acme_plugin", name: plugin, path: ["domains", domain, "plugin"] });
  }
}

export async function requireModify(
  api: Session,
  report: Pick<Report, "error" | "refusedElsewhere">,
  node: string,
): Promise<void> {
  const need = (privilege: string, path: string) => ({ privileges: [privilege], paths: [path], attribute: null });
  const needs = [need("Sys.Modify", "/"), need("Sys.Audit", "/"), need("Sys.Modify", `/nodes/${node}`)];
  await checkPrivileges({ api, report, needs });
}

const existing = (node: string) =>
  alreadyExists({
    type: "proxmox_acme_certificate",
    id: node,
    label: `Certificate of node "${node}"`,
    otherwise: "If `proxmox_node_certificate` has set it, remove that resource first.",
  });
