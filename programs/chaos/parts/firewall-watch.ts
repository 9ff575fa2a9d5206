import { gaps } from "../../../test/unit/resources/firewall/packets.ts";
import type { Chronicle } from "../chronicle.ts";
import { type Evidence, type Finding, finding } from "../judge.ts";
import { ofType, type Watch } from "../part.ts";
import type { Config, Configs } from "../script.ts";
import type { Held } from "../stack.ts";
import { describeRules, OthersRules, type Owner, type Rule, storedRules } from "./others-rules.ts";

type File = Chronicle["world"]["firewall"][string];

/** Whose rules the packets of the checker go through. */
const watched = ["guest/601", "guest/602", "node/pve3"] as const;

/** Every list is as configured, and at no moment a packet was treated neither as before nor as desired. */
export class FirewallWatch implements Watch {
  readonly #chronicle: Chronicle;
  readonly #others: OthersRules;
  readonly #before: ReadonlySet<string>;
  readonly #gaps = new Set<string>();
  #old = new Map<string, Rule[]>();
  #desired = new Map<string, Rule[]>();
  #kept: readonly string[] = [];

  constructor(chronicle: Chronicle) {
    this.#chronicle = chronicle;
    this.#others = OthersRules.of(chronicle);
    this.#before = new Set(namesIn(chronicle.world.firewall["cluster"]));
  }

  plan(configs: Configs, held: ReadonlyMap<string, Held>): void {
    this.#others.begin(new Map(watched.map((key) => [key, ownerOf(key, configs, held)])));
    this.#old = new Map(watched.map((key) => [key, storedRules(this.#chronicle, key)]));
    this.#desired = new Map(watched.map((key) => [key, desiredRules(configs, key) ?? []]));
    const wished = new Set(Object.keys(configs["proxmox_firewall_ipset.seta"]?.["entries"] ?? {}));
    // Terraform replaces what an interrupted creation has left.
    const isReplaced = held.get("proxmox_firewall_ipset.seta")?.isTainted;
    this.#kept = isReplaced ? [] : this.#entries().filter((cidr) => wished.has(cidr));
  }

  look(): void {
    for (const key of watched) {
      const now = storedRules(this.#chronicle, key);
      const [first, ...others] = [this.#old.get(key) ?? [], ...this.#others.edits(key)].map(
        (old) => new Set(gaps(old, this.#desired.get(key) ?? [], now).map((packet) => JSON.stringify(packet))),
      );
      const open = [...(first ?? [])].filter((packet) => others.every((one) => one.has(packet)));
      for (const packet of open) this.#gaps.add(`${key}: ${packet}`);
    }
    const there = this.#entries();
    for (const cidr of there.length === 0 ? [] : this.#kept) {
      if (!there.includes(cidr)) this.#gaps.add(`set: ${cidr} was missing for a moment`);
    }
  }

  judge({ wanted }: Evidence): Finding[] {
    const { firewall } = this.#chronicle.world;
    const lists = watched.flatMap((key) => {
      const desired = desiredRules(wanted, key);
      const now = storedRules(this.#chronicle, key);
      const isSame = desired ? describeRules(now) === describeRules(desired) : this.#others.mayBe(key, now);
      const expected = desired ? describeRules(desired) : this.#others.expected(key);
      return isSame ? [] : [`${key} has ${describeRules(now)} instead of ${expected}`];
    });
    const there = new Set(namesIn(firewall["cluster"]));
    const named = [...this.#before, ...wantedNames(wanted)];
    return [
      ...lists.map(finding("firewall list")),
      ...[...this.#gaps].map(finding("firewall gap")),
      ...[...there].filter((name) => !named.includes(name)).map(finding("firewall orphan")),
      ...named.filter((name) => !there.has(name)).map(finding("firewall object missing")),
      ...setFindings(firewall["cluster"], wanted).map(finding("firewall set")),
    ];
  }

  #entries(): string[] {
    const sets = this.#chronicle.world.firewall["cluster"]?.sets ?? {};
    return (sets["seta"] ?? sets["setab"])?.entries.map(({ cidr }) => cidr) ?? [];
  }
}

const addressesOf = (key: string): string[] =>
  ["rules", "policy"].map((type) => `proxmox_firewall_${type}.${key.replace("/", "-")}`);

function ownerOf(key: string, configs: Configs, held: ReadonlyMap<string, Held>): Owner {
  const addresses = addressesOf(key);
  if (addresses.some((address) => address in configs)) return "configured";
  return addresses.some((address) => held.has(address)) ? "leaving" : "none";
}

/** Null: no resource has them. What a reference stands for is left out of the comparison. */
function desiredRules(configs: Configs, key: string): Rule[] | null {
  const config = addressesOf(key)
    .map((address) => configs[address])
    .find((one) => one !== undefined);
  const given = config?.["rules"] as Record<string, string | boolean>[] | undefined;
  return given?.map((rule) => toRule(rule, configs)) ?? null;
}

function toRule({ security_group: group, enabled, ...rest }: Record<string, string | boolean>, configs: Configs): Rule {
  const name = (text: string) =>
    text.replace(/^\$\{([^}]+)\.(\w+)\}$/, (_, address, what) => meaning(configs, address, what));
  const texts = Object.entries(rest).map(([option, value]) => [option, name(String(value))]);
  const type = group === undefined ? {} : { type: "group", action: name(String(group)) };
  return { ...Object.fromEntries(texts), ...type, isEnabled: enabled !== false } as Rule;
}

function meaning(configs: Configs, address: string, what: string): string {
  const name = String(configs[address]?.["name"]);
  if (what === "name") return name;
  return `${address.includes("ipset") ? "+" : ""}dc/${name}`;
}

const namesIn = (file: File | undefined): string[] =>
  (["aliases", "sets", "groups"] as const).flatMap((kind) =>
    Object.keys(file?.[kind] ?? {}).map((name) => `${kind} ${name}`),
  );

const wantedNames = (wanted: Configs): string[] =>
  (
    [
      ["alias", "aliases"],
      ["ipset", "sets"],
      ["security_group", "groups"],
    ] as const
  ).flatMap(([type, kind]) =>
    ofType<Config>(`proxmox_firewall_${type}`, Object.entries(wanted)).map(([, { name }]) => `${kind} ${name}`),
  );

function setFindings(file: File | undefined, wanted: Configs): string[] {
  return ofType<Config>("proxmox_firewall_ipset", Object.entries(wanted)).flatMap(([, { name, entries }]) => {
    const now = (file?.sets[String(name)]?.entries.map(({ cidr }) => cidr) ?? []).sort().join();
    const desired = Object.keys(entries ?? {})
      .sort()
      .join();
    return now === desired ? [] : [`${name} has ${now} instead of ${desired}`];
  });
}
