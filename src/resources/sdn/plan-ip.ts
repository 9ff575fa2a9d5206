import { setTimeout as sleep } from "node:timers/promises";
import type { Report, Session } from "#kit";
import { isInside, parseAddress, parseNetwork } from "./addresses.ts";
import { subnets, vnets, zones } from "./planned.ts";

/** How long a subnet that this run creates as well may take to be planned. */
const quietMs = 300;

/** Refuses an address that the DHCP server of the zone would not give out. */
export async function planIp(
  api: Session,
  report: Pick<Report, "error">,
  { vnet, ip }: { readonly vnet: string; readonly ip: string },
): Promise<void> {
  const [there, known] = [await vnets.all(api), await zones.all(api)];
  const zone = known.get(String(there.get(vnet)?.["zone"]));
  if (zone !== undefined && (zone["ipam"] !== "pve" || zone["dhcp"] === undefined)) {
    const detail = `Vnet \`${vnet}\` is in zone \`${zone["zone"]}\`, which keeps no addresses: a zone needs \`ipam = "pve"\` and \`simple = { dhcp = "dnsmasq" }\`.`;
    report.error("vnet", "Zone without fixed addresses", detail);
  }
  if (await isInSubnet(api, vnet, ip)) return;
  await sleep(quietMs);
  if (await isInSubnet(api, vnet, ip)) return;
  const networks = [...(await subnets.of(api, vnet))];
  const has = networks.length === 0 ? "It has none." : `It has ${networks.join(", ")}.`;
  report.error("ip", "No subnet for the address", `No subnet of vnet \`${vnet}\` contains ${ip}. ${has}`);
}

async function isInSubnet(api: Session, vnet: string, ip: string): Promise<boolean> {
  const address = parseAddress(ip);
  return [...(await subnets.of(api, vnet))].some((cidr) => {
    const network = parseNetwork(cidr);
    return address !== null && network !== null && isInside(network, address);
  });
}
