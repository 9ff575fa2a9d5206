import { isGranted, privilegesOfHost } from "#kit";
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
import type { CommandContext } from "../command-context.ts";
import { userAgent } from "../connect.ts";

/** What the checks use. Each request to the cluster is made once, on first use. */
export interface CheckContext {
  /** Throws if a variable is invalid. */
  settings(): ClientSettings;
  /** Variables of another provider that are used in place of this provider's. */
  notes(): readonly string[];
  /** Those that are valid addresses. */
  readonly endpoints: readonly URL[];
  /** Throws if the settings as a whole are invalid. */
  client(): PveClient;
  version(): Promise<PveVersion>;
  permissions(): Promise<Permissions>;
  /** The privileges that the host has; null if its roles do not show them. */
  privileges(): Promise<ReadonlySet<string> | null>;
  /** Whether the caller has a privilege on a path. One that the host does not have is not missing. */
  holds(): Promise<(path: string, privilege: string) => boolean>;
  /** Nodes that are online. */
  nodes(): Promise<readonly string[]>;
  /** This machine's clock, in milliseconds since the epoch. */
  now(): number;
  end(): Promise<void>;
}

export function createCheckContext(env: CommandContext["env"], now: () => number = Date.now): CheckContext {
  const read = once(() => settingsFromEnvironment(env));
  const settings = () => read().settings;
  let opened: PveClient | undefined;
  const client = () => {
    opened ??= createClient(resolveSettings(settings()), { userAgent });
    return opened;
  };
  const permissions = once(() => client().access.getPermissions());
  const privileges = once(async () => privilegesOfHost(await client().access.roles.list()));
  return {
    settings,
    notes: () => read().notes,
    endpoints: endpointsOf(settings),
    client,
    version: once(() => client().cluster.getVersion()),
    permissions,
    privileges,
    async holds() {
      const [granted, host] = await Promise.all([permissions(), privileges()]);
      return (path, privilege) => host?.has(privilege) === false || isGranted(granted, path, privilege);
    },
    nodes: once(async () => {
      const { nodes, isOnline } = await client().inventory.snapshot();
      return [...nodes.keys()].filter(isOnline);
    }),
    now,
    end: async () => opened?.close(),
  };
}

/** The check of the settings reports invalid ones; the other checks still have to be listed. */
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
