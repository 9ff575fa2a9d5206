import type { World } from "#simulator";
import type { Chronicle } from "../chronicle.ts";
import { type Evidence, type Finding, finding } from "../judge.ts";
import { ofType, type Watch } from "../part.ts";
import type { Config, Configs } from "../script.ts";
import type { Held } from "../stack.ts";

type Access = World["access"];

/** Lives in which another client has changed something since the apply began. */
const foreign = new WeakSet<Chronicle>();

export const noteForeignAccess = (chronicle: Chronicle): void => void foreign.add(chronicle);

/** Everything is as configured, nothing else is left, tokens keep their secrets, and what stays granted is at every moment. */
export class AccessWatch implements Watch {
  readonly #chronicle: Chronicle;
  readonly #before: ReadonlySet<string>;
  readonly #secrets = new Map<string, string>();
  readonly #gaps = new Set<string>();
  #kept: readonly string[] = [];

  constructor(chronicle: Chronicle) {
    this.#chronicle = chronicle;
    this.#before = new Set(linesOf(chronicle.world.access));
  }

  plan(configs: Configs, held: ReadonlyMap<string, Held>): void {
    foreign.delete(this.#chronicle);
    const { access } = this.#chronicle.world;
    const wanted = new Set(wantedLines(configs));
    // What is left of an interrupted creation is replaced, and with it goes what refers to it.
    const isReplaced = [...held].some(
      ([address, { isTainted }]) => isTainted && /_(user|group|role|token|acl)\./.test(address),
    );
    this.#kept = isReplaced ? [] : grants(access).filter((line) => wanted.has(line));
    for (const [address, secret] of this.#tokens(held)) {
      if (address in configs && !isReplaced) this.#secrets.set(address, this.#secrets.get(address) ?? secret);
      else this.#secrets.delete(address);
    }
  }

  look(): void {
    if (foreign.has(this.#chronicle)) return;
    const there = new Set(grants(this.#chronicle.world.access));
    for (const line of this.#kept) if (!there.has(line)) this.#gaps.add(line);
  }

  judge({ wanted, held }: Evidence): Finding[] {
    const there = linesOf(this.#chronicle.world.access);
    const known = new Set([...this.#before, ...wantedLines(wanted)]);
    const now = new Map(this.#tokens(held));
    const lost = [...this.#secrets].filter(([address, secret]) => address in wanted && now.get(address) !== secret);
    return [
      ...there.filter((line) => !known.has(line)).map(finding("access orphan")),
      ...[...known].filter((line) => !there.includes(line)).map(finding("access missing")),
      ...there.filter((line, at) => there.indexOf(line) !== at).map(finding("access doubled")),
      ...[...this.#gaps].map(finding("access gap")),
      ...lost.map(([address]) => address).map(finding("token secret lost")),
    ];
  }

  /** The secrets of the tokens in the state, as the cluster has them. */
  #tokens(held: ReadonlyMap<string, Held>): [string, string][] {
    const { users } = this.#chronicle.world.access;
    return ofType("proxmox_token", held).flatMap(([address, one]): [string, string][] => {
      const token = users[String(one.attribute("user"))]?.tokens[String(one.attribute("name"))];
      return token ? [[address, token.secret]] : [];
    });
  }
}

/** Everything as one line each, in the words of the configuration; what is not configured is left out. */
function linesOf(now: Access): string[] {
  const users = Object.entries(now.users).flatMap(([id, user]) => [
    `user ${id} in ${user.groups.toSorted()}`,
    ...Object.keys(user.tokens).map((name) => `token ${id}!${name}`),
  ]);
  return [
    ...users,
    ...Object.keys(now.groups).map((id) => `group ${id}`),
    ...Object.entries(now.roles).map(([id, list]) => `role ${id} with ${list.toSorted()}`),
    ...Object.entries(now.pools).flatMap(([id, pool]) => [`pool ${id} with ${pool.storage.toSorted()}`]),
    ...members(now),
    ...grants(now),
  ];
}

/** Guests that are managed join and leave pools as well. */
const members = ({ pools }: Access): string[] =>
  Object.entries(pools).flatMap(([id, { vms }]) =>
    vms.filter((vmid) => vmid >= 700 && vmid < 710).map((vmid) => `${vmid} in ${id}`),
  );

/** Those to a user without any other are of another part. */
const grants = ({ acl }: Access): string[] =>
  acl
    .filter(({ ugid }) => ugid !== "noacl@pve")
    .map(({ path, roleid, type, ugid }) => `${path}:${roleid}:${type}:${ugid}`);

function wantedLines(wanted: Configs): string[] {
  const all = (type: string) => ofType<Config>(`proxmox_${type}`, Object.entries(wanted)).map(([, config]) => config);
  const meaning = (value: unknown): string => {
    const [, address] = /^\$\{([^}]+)\.\w+\}$/.exec(String(value)) ?? [];
    if (address === undefined) return String(value);
    const { id, user, name } = wanted[address] ?? {};
    return id === undefined ? `${meaning(user)}!${name}` : String(id);
  };
  const list = (value: unknown) => ((value ?? []) as unknown[]).map(meaning).sort();
  return [
    ...all("user").map(({ id, groups }) => `user ${id} in ${list(groups)}`),
    ...all("token").map(({ user, name }) => `token ${meaning(user)}!${name}`),
    ...all("group").map(({ id }) => `group ${id}`),
    ...all("role").map(({ id, privileges }) => `role ${id} with ${list(privileges)}`),
    ...all("pool").map(({ id, storages }) => `pool ${id} with ${list(storages)}`),
    ...all("pool_member").map(({ pool, vmid }) => `${vmid} in ${meaning(pool)}`),
    ...all("acl")
      .filter(({ user }) => user !== "noacl@pve")
      .map((entry) => {
        const type = (["user", "group", "token"] as const).find((kind) => entry[kind] !== undefined) ?? "user";
        return `${entry["path"]}:${meaning(entry["role"])}:${type}:${meaning(entry[type])}`;
      }),
  ];
}
