import type { Values } from "../core/schema/schema.ts";
import { checkParameters } from "../core/schema/validate.ts";
import type { FirewallFile, FirewallRule } from "../core/world/firewall.ts";
import type { World } from "../core/world/world.ts";
import { type FirewallKey, writeFirewall } from "../firewall/files.ts";
import { asTexts } from "./as-options.ts";
import { SeedError, seedErrorOf } from "./read-seed.ts";
import { firewallFileProperties } from "./section-members.ts";
import type { Seed } from "./seed-schema.ts";

type SeedFile = Values<typeof firewallFileProperties>;
type SeedGroups = NonNullable<NonNullable<NonNullable<Seed["firewall"]>["cluster"]>["groups"]>;

const asRules = (rules: SeedFile["rules"]): FirewallRule[] =>
  (rules ?? []).map(({ note: _, ...rule }) => asTexts(rule));

const withComment = (comment: string | undefined) => (comment === undefined ? {} : { comment });

function asFile({ options, rules, aliases, ipsets }: SeedFile, groups: SeedGroups = []): FirewallFile {
  return {
    options: asTexts(options ?? {}),
    rules: asRules(rules),
    aliases: Object.fromEntries(
      (aliases ?? []).map(({ name, cidr, comment }) => [name.toLowerCase(), { name, cidr, ...withComment(comment) }]),
    ),
    sets: Object.fromEntries(
      (ipsets ?? []).map(({ name, comment, entries }) => [
        name,
        {
          ...withComment(comment),
          entries: (entries ?? []).map(({ cidr, nomatch, comment: remark }) => ({
            cidr,
            ...(nomatch === 1 && { nomatch }),
            ...withComment(remark),
          })),
        },
      ]),
    ),
    groups: Object.fromEntries(
      groups.map(({ group, comment, rules: own }) => [group, { ...withComment(comment), rules: asRules(own) }]),
    ),
  };
}

/** Files of nodes, guests and vnets stand under the names of what they belong to. */
function addFiles(
  world: World,
  files: Readonly<Record<string, unknown>> | undefined,
  place: string,
  keyOf: (name: string) => FirewallKey | undefined,
): void {
  for (const [name, file] of Object.entries(files ?? {})) {
    const key = keyOf(name);
    if (key === undefined) {
      throw new SeedError(`${place}.${name}`, "there is no such member of the cluster");
    }
    try {
      writeFirewall(world, key, asFile(checkParameters(firewallFileProperties, file as SeedFile).params as SeedFile));
    } catch (thrown) {
      throw seedErrorOf(thrown, `${place}.${name}.`);
    }
  }
}

export function addFirewall(world: World, { firewall }: Seed): void {
  if (firewall?.cluster !== undefined) {
    writeFirewall(world, "cluster", asFile(firewall.cluster, firewall.cluster.groups));
  }
  addFiles(world, firewall?.nodes, "firewall.nodes", (name) => (world.nodes[name] ? `node/${name}` : undefined));
  addFiles(world, firewall?.guests, "firewall.guests", (vmid) => (world.guests[vmid] ? `guest/${vmid}` : undefined));
  addFiles(world, firewall?.vnets, "firewall.vnets", (vnet) => (world.sdn.vnets[vnet] ? `vnet/${vnet}` : undefined));
}
