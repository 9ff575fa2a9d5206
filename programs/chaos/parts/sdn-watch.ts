import type { World } from "#simulator";
import { type Evidence, type Finding, finding } from "../judge.ts";
import { ofType, usersOfNetworks, type Watch } from "../part.ts";
import { referencesIn } from "../references.ts";
import type { Config, Configs } from "../script.ts";

const kinds = ["zones", "vnets", "subnets", "controllers"] as const;

export type SdnKind = (typeof kinds)[number];

type Objects = Pick<World["sdn"], SdnKind>;

const idsIn = (config: Objects): string[] =>
  kinds.flatMap((kind) => Object.keys(config[kind]).map((id) => `${kind}/${id}`));

/** What is configured is in effect, with one commit, and nothing else but what was there. */
export class SdnWatch implements Watch {
  readonly #world: World;
  readonly #before: readonly string[];
  #commits = 0;

  constructor(world: World) {
    this.#world = world;
    this.#before = idsIn(world.sdn);
  }

  plan(): void {
    this.#commits = this.#reloads();
  }

  judge({ wanted }: Evidence): Finding[] {
    const { sdn } = this.#world;
    const staged = kinds.filter(
      (kind) => JSON.stringify(sorted(sdn[kind])) !== JSON.stringify(sorted(sdn.running[kind])),
    );
    const commits = this.#reloads() - this.#commits;
    const allowed = 1 + usersOfNetworks(wanted);
    return [
      ...this.#differences(sdn, wanted).map((text) => finding("SDN object")(`edited: ${text}`)),
      ...this.#differences(sdn.running, wanted).map((text) => finding("SDN object")(`in effect: ${text}`)),
      ...staged.map((kind) => `${kind} are not committed`).map(finding("SDN staged")),
      ...(sdn.lockToken === undefined ? [] : [sdn.lockToken]).map(finding("SDN lock left")),
      ...(commits > allowed ? [`${commits} in one apply`] : []).map(finding("SDN commits")),
      ...addresses(this.#world, wanted).map(finding("SDN address")),
    ];
  }

  #differences(config: Objects, wanted: Configs): string[] {
    const there = idsIn(config);
    const configured = [...this.#before, ...wantedIds(wanted)];
    return [
      ...there.filter((id) => !configured.includes(id)).map((id) => `${id} is an orphan`),
      ...configured.filter((id) => !there.includes(id)).map((id) => `${id} is missing`),
    ];
  }

  #reloads(): number {
    return this.#world.tasks.filter(({ type }) => type === "reloadnetworkall").length;
  }
}

const sorted = (objects: Objects[SdnKind]): [string, object][] =>
  Object.entries(objects)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([id, { type, options }]) => [id, { type, options: Object.entries(options).sort() }]);

/** As PVE names them. */
function wantedIds(wanted: Configs): string[] {
  const all = Object.entries(wanted);
  const ids = (type: string, kind: SdnKind, id: (config: Config) => string) =>
    ofType<Config>(`proxmox_sdn_${type}`, all).map(([, config]) => `${kind}/${id(config)}`);
  const referred = (config: Config | undefined, attribute: string): Config | undefined =>
    wanted[referencesIn(config?.[attribute] ?? null)[0] ?? ""];
  const zoneOf = (subnet: Config) => referred(referred(subnet, "vnet"), "zone")?.["id"];
  return [
    ...ids("controller", "controllers", ({ id }) => String(id)),
    ...ids("zone", "zones", ({ id }) => String(id)),
    ...ids("vnet", "vnets", ({ id }) => String(id)),
    ...ids("subnet", "subnets", (config) => `${zoneOf(config)}-${String(config["cidr"]).replace("/", "-")}`),
  ];
}

/** Fixed addresses are not staged, and stay where a rollback does not reach. */
function addresses({ sdn }: World, wanted: Configs): string[] {
  const configured = ofType<Config>("proxmox_sdn_ip", Object.entries(wanted)).map(([, { ip }]) => String(ip));
  const nets = Object.values(sdn.addresses).flatMap((zone) => Object.values(zone));
  const there = nets.flatMap((net) => Object.entries(net).flatMap(([ip, { mac }]) => (mac ? [ip] : [])));
  return [
    ...there.filter((ip) => !configured.includes(ip)).map((ip) => `${ip} is an orphan`),
    ...configured.filter((ip) => !there.includes(ip)).map((ip) => `${ip} is missing`),
  ];
}
