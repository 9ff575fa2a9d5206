import type { Session } from "#kit";
import type { GuestAddress, GuestConfig, PendingOption } from "#pve";
import type { GuestQuery } from "../guest/context.ts";
import { revertPending } from "../guest/lifecycle/configure.ts";
import { isAllocated } from "../guest/volume.ts";
import { families, volumeAt } from "./slots.ts";

/**
 * A new volume for a slot of a running container that has one is only requested: PVE shows `nas:8` in the place of the volume,
 * allocates it at the next start (pve-container: src/PVE/LXC/Config.pm, `vmconfig_hotplug_pending`), and until then cannot
 * destroy the container (src/PVE/LXC.pm, `destroy_lxc_container`). Such a slot is shown as the container runs, and each
 * change of the container takes the request back.
 */
export interface SettledConfig extends GuestConfig {
  /** Slots that a new volume is requested for. */
  readonly requests?: readonly string[];
}

type Reads = Pick<Session["lxc"], "findConfig" | "getConfig" | "knownConfig" | "knownPending" | "listPending">;

export function requestsIn(api: Session, options: GuestConfig["options"]): string[] {
  const draft = api.containerDraft(options);
  return draft.slots(families.volumes).filter((slot) => !isAllocated(volumeAt(draft, slot)));
}

/** The calls that read a container, without requests. Only a container that has some takes one more call. */
export function settledReads(api: Session): Reads {
  const { lxc } = api;
  const settle = async <C extends GuestConfig | null>(container: GuestAddress, config: C): Promise<C> => {
    const requests = config === null ? [] : requestsIn(api, config.options);
    if (config === null || requests.length === 0) return config;
    return asItRuns(config, requests, lxc.knownPending(container) ?? (await lxc.listPending(container)));
  };
  const withoutRequests = (pending: readonly PendingOption[]): PendingOption[] =>
    pending.map(({ pending: line, ...option }) => {
      const isRequest = line !== undefined && requestsIn(api, { [option.key]: line }).length > 0;
      return isRequest || line === undefined ? option : { ...option, pending: line };
    });
  return {
    findConfig: async (container, options) => settle(container, await lxc.findConfig(container, options)),
    getConfig: async (container, view, options) => settle(container, await lxc.getConfig(container, view, options)),
    knownConfig(container) {
      const [config, pending] = [lxc.knownConfig(container), lxc.knownPending(container)];
      const requests = config ? requestsIn(api, config.options) : [];
      if (config === undefined || requests.length === 0) return config;
      return pending && asItRuns(config, requests, pending);
    },
    listPending: async (container, options) => withoutRequests(await lxc.listPending(container, options)),
    knownPending(container) {
      const pending = lxc.knownPending(container);
      return pending && withoutRequests(pending);
    },
  };
}

function asItRuns<C extends GuestConfig>(config: C, requests: readonly string[], pending: readonly PendingOption[]): C {
  const options: Record<string, string> = { ...config.options };
  for (const slot of requests) {
    const line = pending.find(({ key }) => key === slot)?.value;
    if (line === undefined) delete options[slot];
    else options[slot] = line;
  }
  return { ...config, options, requests };
}

/** Before a change or the removal of the container. */
export const takeBackRequests = (
  context: GuestQuery,
  container: GuestAddress,
  { requests = [] }: SettledConfig,
): Promise<void> => revertPending(context, container, requests);
