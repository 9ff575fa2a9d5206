import type { Node } from "../core/world/node.ts";
import { asTexts } from "./as-options.ts";
import type { Seed } from "./seed-schema.ts";

type SeedNode = NonNullable<Seed["nodes"]>[number];

/** Small files of a node that its administrator has written. */
export function nodeDetails(seed: SeedNode): Partial<Node> {
  const {
    dns,
    hosts,
    timezone,
    config,
    subscription_key: subscriptionKey,
    certificate,
    repositories,
    openvswitch,
    disk_pools: pools,
  } = seed;
  return {
    ...(openvswitch && { hasOpenVSwitch: true }),
    ...(dns !== undefined && { dns: asTexts(dns) }),
    ...(hosts !== undefined && { hosts }),
    ...(timezone !== undefined && { timezone }),
    ...(config !== undefined && { config: asTexts(config) }),
    ...(subscriptionKey !== undefined && { subscriptionKey }),
    ...(certificate !== undefined && { certificate: { chain: certificate, key: "" } }),
    ...(pools !== undefined && {
      diskPools: pools.map(({ note: _, type, name, devices = [], size = 0, ...settings }) => {
        return { type, name, devices, size, settings: asTexts(settings) };
      }),
    }),
    ...(repositories !== undefined && {
      repositories: repositories.map(({ note: _, components, enabled, ...entry }) => ({
        ...entry,
        components: components ?? [],
        enabled: enabled ?? 1,
      })),
    }),
  };
}
