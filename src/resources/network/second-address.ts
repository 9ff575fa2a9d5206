import { type Attributes, type PlanContext, planNoteOf, type Session } from "#kit";
import { networkOf } from "./staged-network.ts";

type Values = Readonly<Record<string, unknown>>;
type Plan = Pick<PlanContext<Attributes, object, Session>, "config" | "prior" | "report">;

interface Place {
  readonly node: string;
  readonly name: string;
}

const versions = ["ipv4", "ipv6"] as const;
const options = { ipv4: ["cidr", "address"], ipv6: ["cidr6", "address6"] } as const;

/** The addresses that this run gives to interfaces of a node, by interface. */
const plannedOn = (api: Session, node: string): Map<string, readonly string[]> =>
  api.store.keep(`planned addresses of ${node}`, () => new Map());

/**
 * Refuses an address that another interface of the node has. Proxmox VE takes it, and the node may then answer at neither. An
 * interface that Terraform manages may give its address away in the same plan, so its own plan is the one that counts.
 */
export async function refuseSecondAddress({ config, prior, report }: Plan, api: Session, place: Place): Promise<void> {
  const { node, name } = place;
  const planned = plannedOn(api, node);
  const own = versions.flatMap((version) => addressIn(config as Values, version) ?? []);
  planned.set(name, own.map(hostOf));
  for (const version of versions) {
    const address = addressIn(config as Values, version);
    if (address === undefined) continue;
    const isKept = prior !== null && addressIn(prior as Values, version) === address;
    // The plan before an apply knows nothing of other resources, and the first one has judged it.
    const isJudged = isKept || planNoteOf(api).isSecondPlan;
    const holder = holderAmong(planned, name, address) ?? (isJudged ? null : await presentHolder(api, place, address));
    if (holder === null) continue;
    const detail = `${address} is the address of \`${holder}\` on ${node}. Give this interface another one, or remove it there.`;
    report.error([version, "address"], "Address in use", detail);
  }
}

function holderAmong(planned: ReadonlyMap<string, readonly string[]>, own: string, address: string): string | null {
  const [holder = null] = [...planned].find(([name, held]) => name !== own && held.includes(hostOf(address))) ?? [];
  return holder;
}

/** An interface outside of Terraform. */
async function presentHolder(api: Session, { node, name }: Place, address: string): Promise<string | null> {
  const { interfaces } = await networkOf(api, node);
  const others = interfaces.filter(
    ({ iface = "" }) => iface !== name && !api.managed.has("proxmox_network_interface", `${node}/${iface}`),
  );
  const held = (one: Values) => Object.values(options).flatMap((names) => names.map((option) => one[option]));
  const isHolder = (one: Values) =>
    held(one).some((text) => typeof text === "string" && hostOf(text) === hostOf(address));
  return others.find(isHolder)?.iface ?? null;
}

function addressIn(values: Values, version: (typeof versions)[number]): string | undefined {
  const address = (values[version] as Values | null | undefined)?.["address"];
  return typeof address === "string" ? address : undefined;
}

const hostOf = (cidr: string): string => cidr.replace(/\/.*$/, "").toLowerCase();
