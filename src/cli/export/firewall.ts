import { allOf, given, optionsIn } from "./fields.ts";
import type { ExportedGuest } from "./guests.ts";
import type { Fields, Reader } from "./reader.ts";

type Place = Readonly<Record<string, string | number>>;

/** Options, rules, aliases and sets of every scope. */
export async function exportFirewall(
  reader: Reader,
  nodes: readonly string[],
  guests: readonly ExportedGuest[],
  vnets: readonly Fields[],
): Promise<Fields> {
  const [cluster, ofNodes, ofGuests, ofVnets] = await Promise.all([
    exportCluster(reader),
    allOf(nodes, async (node) => [node, await exportRules(reader, "/nodes/{node}/firewall", { node })] as const),
    allOf(guests, async ({ vmid, node, type }) => {
      const base = `/nodes/{node}/${type}/{vmid}/firewall`;
      return [String(vmid), await exportFile(reader, base, { node, vmid })] as const;
    }),
    allOf(vnets, async ({ vnet }) => {
      const name = String(vnet);
      return [name, await exportRules(reader, "/cluster/sdn/vnets/{vnet}/firewall", { vnet: name })] as const;
    }),
  ]);
  const known = (entries: readonly (readonly [string, Fields])[]) => given(Object.fromEntries(entries));
  return given({ cluster, nodes: known(ofNodes), guests: known(ofGuests), vnets: known(ofVnets) });
}

async function exportCluster(reader: Reader): Promise<Fields> {
  const base = "/cluster/firewall";
  const [file, groups] = await Promise.all([exportFile(reader, base, {}), reader.list(`${base}/groups`)]);
  const whole = await allOf(groups, async ({ group, comment }) => {
    const rules = await reader.list(`${base}/groups/{group}`, { group: String(group) });
    return given({ group, comment, rules: rulesOf(rules) });
  });
  return given({ ...file, groups: whole });
}

async function exportRules(reader: Reader, base: string, at: Place): Promise<Fields> {
  const [options, rules] = await Promise.all([reader.one(`${base}/options`, at), reader.list(`${base}/rules`, at)]);
  return given({ options: options === null ? undefined : optionsIn(options), rules: rulesOf(rules) });
}

async function exportFile(reader: Reader, base: string, at: Place): Promise<Fields> {
  const [file, aliases, sets] = await Promise.all([
    exportRules(reader, base, at),
    reader.list(`${base}/aliases`, at),
    reader.list(`${base}/ipset`, at),
  ]);
  const ipsets = await allOf(sets, async ({ name, comment }) => {
    const entries = await reader.list(`${base}/ipset/{name}`, { ...at, name: String(name) });
    return given({ name, comment, entries: entries.map((entry) => optionsIn(entry)) });
  });
  return given({ ...file, aliases: aliases.map((alias) => optionsIn(alias, ["ipversion"])), ipsets });
}

const rulesOf = (rules: readonly Fields[]): Fields[] => rules.map((rule) => optionsIn(rule, ["pos", "ipversion"]));
