import {
  type ClientSettings,
  createClient,
  type Permissions,
  type PveClient,
  type PveVersion,
  parseEndpoint,
  resolveSettings,
  settingsFromEnvironment,
} from "#pve";
import { userAgent } from "../connect.ts";
import type { Surroundings } from "../surroundings.ts";

/** What the checks ask about. Whatever is asked of the cluster is asked once, when it is first needed. */
export interface Visit {
  /** Throws what is wrong with a variable. */
  settings(): ClientSettings;
  /** Variables of another provider's that were read in place of ours. */
  notes(): readonly string[];
  /** Those that can be read as addresses; none if there are none. */
  readonly endpoints: readonly URL[];
  /** Throws what is wrong with the settings as a whole. */
  client(): PveClient;
  version(): Promise<PveVersion>;
  permissions(): Promise<Permissions>;
  /** Nodes that are online. */
  nodes(): Promise<readonly string[]>;
  /** This machine's clock, in milliseconds since the epoch. */
  now(): number;
  end(): Promise<void>;
}

export function beginVisit(env: Surroundings["env"], now: () => number = Date.now): Visit {
  const read = once(() => settingsFromEnvironment(env));
  const settings = () => read().settings;
  let opened: PveClient | undefined;
  const client = () => {
    opened ??= createClient(resolveSettings(settings()), { userAgent });
    return opened;
  };
  return {
    settings,
    notes: () => read().notes,
    endpoints: endpointsOf(settings),
    client,
    version: once(() => client().cluster.getVersion()),
    permissions: once(() => client().access.getPermissions()),
    nodes: once(async () => {
      const { nodes, isOnline } = await client().inventory.snapshot();
      return [...nodes.keys()].filter(isOnline);
    }),
    now,
    end: async () => opened?.close(),
  };
}

/** Settings that cannot be read are told by the check of them; the others still have to be listed. */
function endpointsOf(settings: () => ClientSettings): readonly URL[] {
  try {
    return (settings().endpoints ?? []).map(parseEndpoint);
  } catch {
    return [];
  }
}

function once<T>(ask: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => {
    answer ??= { value: ask() };
    return answer.value;
  };
}
