import type { Attributes, PlanContext, Report, Session, ValidateContext } from "#kit";
import { isInside, overlap, parseAddress, parseNetwork } from "./addresses.ts";
import { subnets, vnets } from "./planned.ts";

interface Subnet {
  readonly vnet?: string;
  readonly cidr?: string;
  readonly gateway?: string | null;
  readonly dhcp_ranges?: readonly ({ readonly start?: string; readonly end?: string } | undefined)[] | null;
}

/** Addresses have to lie in the subnet. Server side: pve-network `src/PVE/Network/SDN/SubnetPlugin.pm`. */
export function validateSubnet<A extends Attributes>({ config, report }: ValidateContext<A>): void {
  const { cidr, gateway, dhcp_ranges } = config as unknown as Subnet;
  const network = parseNetwork(cidr ?? "");
  if (network === null) return;
  const isPointToPoint = network.version === 4 && network.prefix === 32;
  const address = parseAddress(gateway ?? "");
  if (address !== null && !isInside(network, address) && !isPointToPoint) {
    report.error("gateway", "Gateway outside of the subnet", `${gateway} is not an address of ${cidr}.`);
  }
  validateRanges(report, String(cidr), dhcp_ranges ?? []);
}

function validateRanges(report: Report, cidr: string, ranges: NonNullable<Subnet["dhcp_ranges"]>): void {
  const network = parseNetwork(cidr);
  const refuse = (index: number, text: string) => report.error(["dhcp_ranges", index], "DHCP range not possible", text);
  const seen: { first: bigint; last: bigint; version: 4 | 6; text: string }[] = [];
  for (const [index, range] of ranges.entries()) {
    const [start, end] = [parseAddress(range?.start ?? ""), parseAddress(range?.end ?? "")];
    if (start === null || end === null || network === null) continue;
    const text = `${range?.start} to ${range?.end}`;
    const here = { first: start.value, last: end.value, version: start.version, text };
    if (!isInside(network, start) || !isInside(network, end)) refuse(index, `${text} is not inside of ${cidr}.`);
    else if (start.value > end.value) refuse(index, `${text} ends before it starts.`);
    const other = seen.find((one) => overlap(one, here));
    if (other !== undefined) refuse(index, `${text} overlaps with ${other.text}.`);
    seen.push(here);
  }
}

/** Refuses a subnet that the vnet cannot have, or that shares addresses with another one of it. */
export async function planSubnet<A extends Attributes>(
  { config, prior, report }: PlanContext<A, object, Session>,
  api: Session,
): Promise<void> {
  const { vnet, cidr } = config as unknown as Subnet;
  const network = parseNetwork(cidr ?? "");
  if (prior !== null || vnet === undefined || cidr === undefined || network === null) return;
  const existing = await subnets.of(api, vnet);
  subnets.plan(api, vnet, cidr);
  if (Number((await vnets.all(api)).get(vnet)?.["vlanaware"] ?? 0) === 1) {
    report.error("vnet", "Vnet is VLAN aware", `Vnet \`${vnet}\` is VLAN aware, and such a vnet cannot have subnets.`);
  }
  const other = [...existing].find((one) => {
    const there = parseNetwork(one);
    return one !== cidr && there !== null && overlap(there, network);
  });
  if (other !== undefined) {
    report.error(
      "cidr",
      "Subnets overlap",
      `${cidr} shares addresses with ${other}, another subnet of vnet \`${vnet}\`.`,
    );
  }
}
