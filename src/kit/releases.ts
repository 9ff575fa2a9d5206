import type { Report } from "#framework";
import { oncePerRun } from "./once-per-run.ts";
import type { Session } from "./session.ts";

/** What Proxmox VE has only since a release after 9.0: a whole resource, or one attribute of it. */
const since: Readonly<Record<string, string>> = {
  proxmox_cpu_model: "9.1",
  proxmox_oci_image: "9.1",
};

const releaseOf = oncePerRun(async (api: Session) => (await api.cluster.getVersion()).release);

interface Planned {
  readonly api: Session | undefined;
  readonly report: Report;
  /** What is written; an attribute that is null is not. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Refuses in the plan what the host is too old for. Returns whether it knows everything that is written. */
export async function isKnownToHost(type: string, { api, report, config }: Planned): Promise<boolean> {
  const additions = Object.entries(since).filter(([name]) => {
    const [resource, attribute] = name.split(".");
    return resource === type && (attribute === undefined || (config[attribute] ?? null) !== null);
  });
  if (api === undefined || additions.length === 0) return true;
  const release = await releaseOf(api);
  const missing = additions.filter(([, first]) => isBefore(release, first));
  for (const [name, first] of missing) {
    const [, attribute] = name.split(".");
    const detail = `Proxmox VE has ${attribute ? `\`${attribute}\`` : "this"} since ${first}, and the host has ${release}. Upgrade the nodes, or remove ${attribute ? "the line" : "the resource"}.`;
    report.error(attribute ?? null, "Host is too old", detail);
  }
  return missing.length === 0;
}

/** Whether one release is older than another: 9.2 than 9.10. */
function isBefore(one: string, other: string): boolean {
  const [major = 0, minor = 0] = one.split(".").map(Number);
  const [first = 0, second = 0] = other.split(".").map(Number);
  return major === first ? minor < second : major < first;
}
