import type { Logger } from "#framework";
import type { ClientSettings, Mark, PveClient, VmAddress, VmConfig } from "#pve";
import { Expectations } from "./expectations.ts";
import { ConfigDraft, type RawConfig } from "./wire/config-draft.ts";

export type SessionSettings = ClientSettings;

/** What a configured provider hands to every hook: the client, and the means to read and change configurations. */
export interface Session extends PveClient {
  draft(config: RawConfig): ConfigDraft;
  /** Looks in a VM's configuration for the mark its creator put there. */
  findMark(vm: VmAddress, isOurs: (config: VmConfig) => boolean): () => Promise<Mark>;
  /** What this plan is going to create: it counts as existing wherever a plan asks. */
  readonly expected: Expectations;
}

/**
 * Opens a session with what the provider block says, and with the environment where it says nothing. The client, and
 * the HTTP and validation libraries below it, are loaded here: Terraform asks for schemas far more often.
 */
export async function openSession(
  settings: SessionSettings,
  environment: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Promise<Session> {
  const { codecOf, createClient, markInConfig, mergeSettings, resolveSettings, settingsFromEnvironment } = await import(
    "#pve"
  );
  const { settings: ambient, notes } = settingsFromEnvironment(environment);
  for (const note of notes) log.info(note);
  const client = createClient(resolveSettings(mergeSettings(ambient, settings)), { logger: log });
  return {
    ...client,
    draft: (config) => new ConfigDraft(config, { codecOf }),
    findMark: (vm, isOurs) => markInConfig(client.qemu, vm, isOurs),
    expected: new Expectations(),
  };
}
