import { enumerate, type Report, type Session } from "#kit";

interface Job {
  readonly storage?: string | null | undefined;
  readonly vmids?: readonly (number | undefined)[] | null | undefined;
  readonly fleecing?: { readonly storage?: string | null | undefined } | null | undefined;
  readonly script?: string | null | undefined;
  readonly temporary_directory?: string | null | undefined;
  readonly dump_directory?: string | null | undefined;
}

const reserved = ["script", "temporary_directory", "dump_directory"] as const;

/** What PVE does not check: it stores the job, and every run of it fails. */
export async function checkJob(api: Session, job: Job, prior: Job | null, report: Report): Promise<void> {
  await checkContent(api, job.storage, "storage", "backup", report);
  await checkContent(api, job.fleecing?.storage, "fleecing.storage", "images", report);
  await warnOfMissing(api, job.vmids ?? [], report);
  if (api.mayActAsRoot || api.settings.permissionCheck === "off") return;
  for (const name of reserved) {
    if ((job[name] ?? null) === (prior?.[name] ?? null)) continue;
    const detail = `Proxmox VE lets only root@pam change \`${name}\`, logged in with a password; a token of root is not enough. The provider uses ${api.identity}. Give it \`username = "root@pam"\` and \`password\` beside the token.`;
    report.error(name, "Reserved for root@pam", detail);
  }
}

async function checkContent(
  api: Session,
  storage: string | null | undefined,
  path: string,
  content: "backup" | "images",
  report: Report,
): Promise<void> {
  if (!storage || api.planned.has("storage", storage)) return;
  const definitions = await api.store.remember("/storage", () => api.storage.list());
  const definition = definitions.find((one) => one.storage === storage);
  if (definition === undefined || (definition.content ?? []).includes(content)) return;
  const others = definitions.filter((one) => one.content?.includes(content)).map((one) => one.storage);
  const detail = `Storage \`${storage}\` does not hold \`${content}\`. ${others.length > 0 ? `These do: ${enumerate(others)}.` : "None does."} Add it to \`content\` of the storage, or use another.`;
  report.error(path, "Storage does not hold it", detail);
}

/** A guest may be created later, by whichever means: only a warning. */
async function warnOfMissing(api: Session, vmids: readonly (number | undefined)[], report: Report): Promise<void> {
  const { guests } = await api.inventory.snapshot();
  const missing = vmids.filter((id) => id !== undefined && !guests.has(id) && !api.planned.has("guest", id));
  if (missing.length === 0) return;
  const detail = `The caller sees no guest ${enumerate(missing.map(String))}. As long as there is none, each run of the job ends with an error.`;
  report.warning("vmids", "No such guest", detail);
}
