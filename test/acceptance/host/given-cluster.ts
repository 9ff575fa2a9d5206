import type { TestContext } from "vitest";
import { isPveError, type PveClient } from "#pve";
import { sourceAddress } from "../../../src/source-address.ts";
import { type Outcome, type StateResource, Workspace } from "../../terraform/workspace.ts";
import type { Needs, TargetCluster } from "../target-cluster.ts";
import { adapt } from "./adapt.ts";
import { type Choice, type HostSettings, hostEnvironment, readHostSettings } from "./settings.ts";
import { type Survey, surveyHost } from "./survey.ts";

/** A whole block for each resource: none of the examples has more instances. */
const instances = 10;
/** How long one command may take there: the tasks of a real host take minutes. */
const patienceMs = 30 * 60_000;

/** The host that `PROXMOX_VE_ENDPOINT` names. Tests create objects in the pool of the settings only. */
export async function openGivenCluster(client: PveClient): Promise<TargetCluster> {
  const settings = readHostSettings(process.env);
  const survey = await surveyHost(client, settings);
  const blocks = await freeBlocks(client, settings);
  let test: Pick<TestContext, "skip"> | undefined;
  const skip = (reason: string) => test?.skip(reason);

  return {
    simulator: null,
    client,
    found: survey.found,
    named: (name) => `${settings.prefix}${name}`,
    pool: (name) => `${settings.pool}/${settings.prefix}${name}`,
    importId,
    needs(context, needs) {
      test = context;
      const reason = lackOf(survey, needs);
      if (reason !== undefined) skip(reason);
    },
    workspace(binary, plugin) {
      const workspace = new HostWorkspace(binary, plugin, sourceAddress);
      workspace.adapt = (hcl) => adapt(hcl, survey.found, settings, blocks);
      workspace.skip = skip;
      workspace.patienceMs = patienceMs;
      Object.assign(workspace.env, hostEnvironment(process.env, settings));
      return workspace;
    },
    close: () => client.close(),
  };
}

/** The IDs of the types that are tested on hosts; a node in front of a volume is never wrong. */
function importId(written: string, resource: StateResource | undefined): string {
  const { id, vmid, name, node, pool, storage, volume, volume_id: file } = resource?.values ?? {};
  const ids: Readonly<Record<string, string>> = {
    proxmox_container: `${vmid}`,
    proxmox_disk: `${node}/${volume}`,
    proxmox_file: `${node}/${file}`,
    proxmox_pool: `${id}`,
    proxmox_pool_member: `${pool}/storage/${storage}`,
    proxmox_snapshot: `${vmid}/${name}`,
    proxmox_vm: `${vmid}`,
  };
  return ids[resource?.type ?? ""] ?? written;
}

/** Why the host cannot bear the test. */
function lackOf({ lacking, found, freeMemoryGiB, freeSpaceGiB }: Survey, needs: Needs): string | undefined {
  const missing = needs.uses.find((choice: Choice) => found[choice] === undefined);
  if (missing) return lacking[missing];
  const { memoryGiB = 0, spaceGiB = 0 } = needs;
  if (freeMemoryGiB !== undefined && freeMemoryGiB < memoryGiB) {
    return `${memoryGiB} GiB of memory are needed, and ${found.node} has ${freeMemoryGiB.toFixed(0)} free`;
  }
  if (freeSpaceGiB === undefined || freeSpaceGiB >= spaceGiB) return undefined;
  return `${spaceGiB} GiB are needed, and storage ${found.storage} has ${freeSpaceGiB.toFixed(0)} free`;
}

/** The first VMID for each address: the same one in every workspace, so that another one can import the guest. */
async function freeBlocks(client: PveClient, { guests }: HostSettings): Promise<(address: string) => number> {
  const given = new Map<string, number>();
  const free: number[] = [];
  for (let first = guests.first; first + instances <= guests.last && free.length < 12; first += instances) {
    const ids = Array.from({ length: instances }, (_, index) => first + index);
    if ((await Promise.all(ids.map((vmid) => isFree(client, vmid)))).every(Boolean)) free.push(first);
  }
  return (address) => {
    const first = given.get(address) ?? free.shift();
    if (first === undefined) throw new Error("ACCEPTANCE_VMIDS has no ten free VMIDs in a row left");
    given.set(address, first);
    return first;
  };
}

async function isFree(client: PveClient, vmid: number): Promise<boolean> {
  try {
    await client.cluster.checkId(vmid);
    return true;
  } catch (reason) {
    if (isPveError(reason, "exists")) return false;
    throw reason;
  }
}

/** Adapts each configuration, and skips the test if its first apply lacks a privilege. */
class HostWorkspace extends Workspace {
  adapt: (hcl: string) => { readonly main: string; readonly override: string } = (main) => ({ main, override: "" });
  skip: (reason: string) => void = () => {};

  override configure(hcl: string): void {
    const { main, override } = this.adapt(hcl);
    super.configure(main);
    this.write("main_override.tf", override);
  }

  override async apply(...args: string[]): Promise<Outcome> {
    const outcome = await super.apply(...args);
    const lack = outcome.diagnostics.find(({ summary }) => summary === "Privileges missing");
    if (lack && Object.keys(await this.resources()).length === 0) {
      this.skip(`a privilege is missing: ${/needs:\n\s*(.*)/.exec(lack.detail)?.[1] ?? lack.detail}`);
    }
    return outcome;
  }
}
