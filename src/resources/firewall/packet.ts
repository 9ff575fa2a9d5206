import { isPveError, type Session } from "#kit";
import { rangeOf } from "./addresses.ts";
import { namedAddress } from "./formats.ts";
import type { Rule } from "./list/rule.ts";
import { aliasAfter, groupAfter, setAfter } from "./planned-names.ts";

/** Whether something matches; undefined: that is not known. */
type Match = boolean | undefined;

type Decision = { readonly kind: "none" | "allowed" } | { readonly kind: "refused"; readonly rule: Rule };

/** A packet from the provider to the API, and what rules of the cluster and its nodes do with it. */
export class Packet {
  readonly #api: Session;
  readonly #source: string;
  readonly #port: number;

  constructor(api: Session, source: string, port: number) {
    this.#api = api;
    this.#source = source;
    this.#port = port;
  }

  /** What the rules decide. A rule that may match counts if it allows, and does not if it refuses. */
  async decide(rules: readonly Rule[]): Promise<Decision> {
    for (const rule of rules) {
      if (!rule.isEnabled) continue;
      if (rule.type === "group") {
        const inside = await groupAfter(this.#api, rule.action);
        if (inside === null) return { kind: "allowed" };
        const decision = await this.decide(inside);
        if (decision.kind !== "none") return decision;
      } else if (rule.type === "in") {
        const matches = await this.#matches(rule);
        if (matches !== false && rule.action === "ACCEPT") return { kind: "allowed" };
        if (matches && rule.action !== "ACCEPT") return { kind: "refused", rule };
      }
    }
    return { kind: "none" };
  }

  /** PVE allows the API to the set `management` and to the network of the node. */
  async isManagement(node: string, ip: string | null): Promise<boolean> {
    const local = (await this.#networksOf(node)).filter((network) => ip !== null && contains(network, ip));
    const networks = [...local, "+dc/management", "dc/local_network"];
    for (const network of networks) if ((await this.#isFrom(network, false)) !== false) return true;
    return false;
  }

  async #matches(rule: Rule): Promise<Match> {
    const { proto, dport, macro, source } = rule;
    if (proto !== undefined && proto !== "tcp" && proto !== "6") return false;
    if (dport !== undefined && !dport.split(",").some((part) => this.#isPort(part))) return false;
    // The one macro for this port.
    if (macro !== undefined && (macro.toLowerCase() !== "pmg" || this.#port !== 8006)) return false;
    const isFrom = source === undefined ? true : await this.#isFrom(source, undefined);
    const isSure = rule.iface === undefined && rule.dest === undefined && rule.sport === undefined;
    return isFrom && !isSure ? undefined : isFrom;
  }

  #isPort(part: string): boolean {
    const [from, to = from] = part.split(":").map(Number);
    return from !== undefined && to !== undefined && from <= this.#port && this.#port <= to;
  }

  /** `absent` is what it means that a name does not exist yet. */
  async #isFrom(text: string, absent: Match): Promise<Match> {
    const named = namedAddress(text);
    if (named === null) return text.split(",").some((part) => contains(part, this.#source));
    if (named.kind === "alias") {
      const cidr = await aliasAfter(this.#api, named.name);
      return typeof cidr === "object" ? contains(cidr.is, this.#source) : unresolved(cidr, absent);
    }
    const entries = named.scope === "sdn" ? "missing" : await setAfter(this.#api, named.name);
    if (typeof entries !== "object") return unresolved(entries, absent);
    const matching = [];
    for (const { cidr, nomatch } of entries.is) {
      const isFrom = await this.#isFrom(cidr, absent);
      if (isFrom === undefined) return undefined;
      if (isFrom) matching.push({ size: sizeOf(cidr), isIn: !nomatch });
    }
    return matching.sort((a, b) => (a.size < b.size ? -1 : 1))[0]?.isIn ?? false;
  }

  async #networksOf(node: string): Promise<string[]> {
    try {
      return (await this.#api.network.list(node)).flatMap(({ cidr }) => (typeof cidr === "string" ? [cidr] : []));
    } catch (reason) {
      if (isPveError(reason, "permission")) return [];
      throw reason;
    }
  }
}

/** A rule that names what is gone matches nothing. */
function unresolved(meaning: "gone" | "unknown" | "missing", absent: Match): Match {
  if (meaning === "gone") return false;
  return meaning === "unknown" ? undefined : absent;
}

function contains(network: string, address: string): boolean {
  const [outer, inner] = [rangeOf(network), rangeOf(address)];
  return outer !== null && inner !== null && outer[0] <= inner[0] && inner[1] <= outer[1];
}

function sizeOf(text: string): bigint {
  const range = rangeOf(text);
  return range === null ? 0n : range[1] - range[0];
}
