import type { Logger } from "#framework";
import type { ClientSettings, GuestAddress, GuestConfig, Mark, PveClient, RetryPolicy } from "#pve";
import { Activity } from "./activity.ts";
import { ManagedObjects } from "./managed-objects.ts";
import { PlannedObjects } from "./planned-objects.ts";
import { RunStore } from "./run-store.ts";
import { noteTaskWarnings } from "./task-warnings.ts";
import { ConfigDraft, type RawConfig } from "./wire/config-draft.ts";
import { withContext } from "./work.ts";

export type SessionSettings = ClientSettings;

/** What a configured provider hands to every hook: the client, and the means to read and change configurations. */
export interface Session extends PveClient {
  draft(config: RawConfig): ConfigDraft;
  /** The same for a configuration of a container. */
  containerDraft(config: RawConfig): ConfigDraft;
  /** Whether options that PVE reserves for the user root@pam can be set. */
  readonly mayActAsRoot: boolean;
  /** Looks in a guest's configuration for the mark its creator put there. */
  findMark(
    calls: Pick<PveClient["qemu"], "getConfig">,
    guest: GuestAddress,
    isOurs: (config: GuestConfig) => boolean,
  ): () => Promise<Mark>;
  /** Attempts something until it succeeds or the policy says otherwise. */
  retry<T>(policy: RetryPolicy, attempt: (number: number) => Promise<T>): Promise<T>;
  /** Whether another client changed the configuration since it was read. */
  isOutdated(reason: unknown): boolean;
  /** Whether the change was taken and merely waits for the VM to stop. */
  isOnlyDelayed(reason: unknown): boolean;
  /** The guest agent does not answer, or not yet. */
  isAgentSilent(reason: unknown): boolean;
  /** Whether a line of a shutdown's log says that the guest was stopped hard. */
  isForcedStop(line: string): boolean;
  /** Whether the guest did not shut down in its time, and was not to be stopped hard. */
  isShutdownTimeout(reason: unknown): boolean;
  /** Whether a VM could not be made because an earlier one of its number has left its cloud-init drive. */
  isCloudInitDriveInTheWay(reason: unknown, vmid: number): boolean;
  /** Whether a template cannot go because linked clones of it are there. */
  isUsedByClones(reason: unknown): boolean;
  /** The name of the volume that could not be removed because it does not exist. */
  readMissingVolume(message: string): string | null;
  /** The volume that a line of a task's log says could not be removed. */
  readLeftVolume(line: string): { readonly volume: string; readonly reason: string } | null;
  /** What this plan is going to create: it counts as existing wherever a plan asks. */
  readonly planned: PlannedObjects;
  /** What Terraform has already: it counts as free wherever a plan asks whether something is in the way. */
  readonly managed: ManagedObjects;
  /** What several resources of the run share. */
  readonly store: RunStore;
  /** What this process is removing right now: what it leaves behind can be removed after it. */
  readonly departures: Activity;
  /** Resources that are being planned. */
  readonly plans: Activity;
  /** Resources that are being created, changed or removed. */
  readonly changes: Activity;
}

export interface Surroundings {
  /** Default: an empty one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Receives every secret, also those found in the environment or obtained later, so that no line shows one. */
  readonly conceal?: (secret: string) => void;
  readonly userAgent?: string;
}

/**
 * Opens a session with what the provider block says, and with the environment where it says nothing. The client, and
 * the HTTP and validation libraries below it, are loaded here: Terraform asks for schemas far more often.
 */
export async function openSession(settings: SessionSettings, surroundings: Surroundings): Promise<Session> {
  const { environment = {}, log, ...more } = surroundings;
  const pve = await import("#pve");
  const { settings: ambient, notes } = pve.settingsFromEnvironment(environment);
  for (const note of notes) log.info(note);
  const client = pve.createClient(pve.resolveSettings(pve.mergeSettings(ambient, settings)), {
    logger: withContext(log),
    keepInventory: true, // Resources forget what their own changes made outdated.
    onTaskWarnings: noteTaskWarnings,
    ...more,
  });
  return {
    ...client,
    draft: (config) => new ConfigDraft(config, pve),
    containerDraft: (config) => new ConfigDraft(config, { codecOf: pve.containerCodecOf }),
    mayActAsRoot: client.identity === "root@pam" || client.settings.root !== undefined,
    findMark: pve.markInConfig,
    retry: pve.retry,
    isOutdated: (reason) => pve.isPveError(reason) && pve.isOutdated(reason.message),
    isOnlyDelayed: (reason) => pve.isPveError(reason) && pve.isOnlyDelayed(reason.message),
    isAgentSilent: (reason) => pve.isPveError(reason) && pve.isAgentSilent(reason.message),
    isForcedStop: pve.isForcedStop,
    isShutdownTimeout: (reason) =>
      pve.isPveError(reason) && [reason.message, ...(reason.details.log ?? [])].some(pve.isShutdownTimeout),
    isCloudInitDriveInTheWay: (reason, vmid) =>
      pve.isPveError(reason) && pve.isCloudInitDriveInTheWay(reason.message, vmid),
    isUsedByClones: (reason) => pve.isPveError(reason) && pve.isUsedByClones(reason.message),
    readMissingVolume: pve.readMissingVolume,
    readLeftVolume: pve.readLeftVolume,
    planned: new PlannedObjects(),
    managed: new ManagedObjects(),
    store: new RunStore(),
    departures: new Activity(),
    plans: new Activity(),
    changes: new Activity(),
  };
}
