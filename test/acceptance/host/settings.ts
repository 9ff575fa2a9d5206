import { resolve } from "node:path";
import { parseVmidRange, type VmidRange } from "../../../src/pve/vmid-range.ts";

/** What the tests may use of a given host: everything they create is in the pool, has the prefix and a VMID of the range. */
export interface HostSettings {
  readonly pool: string;
  readonly prefix: string;
  readonly guests: VmidRange;
  /** The owners of volumes that belong to no guest. */
  readonly diskOwners: VmidRange;
  /** Chosen by the user; the others are found on the host. */
  readonly chosen: Readonly<Partial<Record<Choice, string>>>;
}

/** What tests use of a host besides the pool. */
export type Choice = (typeof choices)[number];

export const choices = [
  "node",
  "storage",
  "files",
  "backups",
  "bridge",
  "template",
  "image",
  "iso",
  "container_template",
] as const;

const defaults = { pool: "tfacc", prefix: "tfacc-", vmids: "990000-990999" };

/** VMIDs at the end of the range that own disks, as `PROXMOX_VE_DISK_OWNERS` takes them. */
const owners = 100;

export function readHostSettings(env: NodeJS.ProcessEnv): HostSettings {
  const given = (name: string) => env[`ACCEPTANCE_${name.toUpperCase()}`] || undefined;
  const { first, last } = parseVmidRange(given("vmids") ?? defaults.vmids);
  if (last - first < 2 * owners) throw new Error(`ACCEPTANCE_VMIDS must span at least ${2 * owners} VMIDs`);
  return {
    pool: given("pool") ?? defaults.pool,
    prefix: given("prefix") ?? defaults.prefix,
    guests: { first, last: last - owners },
    diskOwners: { first: last - owners + 1, last },
    chosen: Object.fromEntries(choices.flatMap((name) => (given(name) ? [[name, given(name)]] : []))),
  };
}

/** Variables of every command on a given host. A relative path would be looked for in the folder of the workspace. */
export function hostEnvironment(env: NodeJS.ProcessEnv, { diskOwners }: HostSettings): Record<string, string> {
  const authority = env["PROXMOX_VE_CA_CERTIFICATE"] ?? "";
  return {
    PROXMOX_VE_DISK_OWNERS: `${diskOwners.first}-${diskOwners.last}`,
    ...(authority !== "" &&
      !authority.startsWith("-----") && {
        PROXMOX_VE_CA_CERTIFICATE: resolve(env["INIT_CWD"] ?? process.cwd(), authority),
      }),
  };
}
