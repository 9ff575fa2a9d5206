import { type Members, provenWrite, type Session, withDigest } from "#kit";
import type { ConfigObject } from "#pve";

/** A domain of a certificate, and how it is proved to be ours. */
export interface Domain {
  readonly plugin: string | null;
  readonly alias: string | null;
}

export interface Order {
  readonly account: string;
  readonly domains: Readonly<Record<string, Domain>>;
}

/** PVE has six options for domains with a plugin, and one list of the others (pve-manager: PVE/NodeConfig.pm). */
export const mostWithPlugin = 6;

const slots = Array.from({ length: mostWithPlugin }, (_, number) => `acmedomain${number}`);

export const isPlain = ({ plugin, alias }: Domain): boolean =>
  (plugin === null || plugin === "standalone") && alias === null;

/** The options of a node that make up an order. */
export function printOrder({ account, domains }: Order): Readonly<Record<string, string>> {
  const entries = Object.entries(domains).sort(([a], [b]) => (a < b ? -1 : 1));
  const plain = entries.filter(([, domain]) => isPlain(domain)).map(([name]) => name);
  const special = entries.filter(([, domain]) => !isPlain(domain));
  return {
    acme: [`account=${account}`, ...(plain.length === 0 ? [] : [`domains=${plain.join(";")}`])].join(","),
    ...Object.fromEntries(
      special.map(([name, { plugin, alias }], index) => [
        slots[index] ?? "",
        [`domain=${name}`, ...(alias ? [`alias=${alias}`] : []), ...(plugin ? [`plugin=${plugin}`] : [])].join(","),
      ]),
    ),
  };
}

const partsOf = (line: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    String(line ?? "")
      .split(",")
      .filter(Boolean)
      .map((part) => (part.includes("=") ? [part.replace(/=.*/, ""), part.replace(/^[^=]*=/, "")] : ["domain", part])),
  );

export function parseOrder(options: Members): Order {
  const { account = "default", domains = "" } = partsOf(options["acme"]);
  const plain = domains.split(/[;\s]+/).filter(Boolean);
  const special = slots.flatMap((slot) => (options[slot] === undefined ? [] : [partsOf(options[slot])]));
  return {
    account,
    domains: Object.fromEntries([
      ...plain.map((name) => [name, { plugin: null, alias: null }]),
      ...special.map(({ domain = "", plugin, alias }) => [domain, { plugin: plugin ?? null, alias: alias ?? null }]),
    ]),
  };
}

const callsOf = (api: Session) => api.objects("the options of nodes", { path: "/nodes/{node}/config" });

export const readOptions = (api: Session, node: string, signal?: AbortSignal): Promise<ConfigObject> =>
  callsOf(api).get({ node }, { signal });

/** Writes an order into the options of the node, or takes it out; all other options stay. */
export async function writeOrder(api: Session, node: string, order: Order | null, signal: AbortSignal): Promise<void> {
  const wanted = order === null ? {} : printOrder(order);
  const rest = (now: ConfigObject) => {
    const set = Object.entries(wanted).filter(([option, value]) => now[option] !== value);
    const unset = ["acme", ...slots].filter((option) => now[option] !== undefined && wanted[option] === undefined);
    return { set: Object.fromEntries(set), unset, isNothing: set.length + unset.length === 0 };
  };
  const read = () => readOptions(api, node, signal);
  await withDigest(api, read, async (now) => {
    const { set, unset, isNothing } = rest(now);
    if (isNothing) return;
    const change = { ...set, ...(unset.length > 0 && { delete: unset }), ...(now.digest && { digest: now.digest }) };
    const write = () => callsOf(api).update({ node, ...change }, { signal, isRepeatable: true });
    await provenWrite(api, { write, isDone: async () => rest(await read()).isNothing, signal });
  });
}
