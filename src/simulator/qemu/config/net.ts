import type { Process } from "../../core/kernel/process.ts";
import { parsePropertyString, printPropertyString } from "../../core/schema/property-string.ts";
import { randomMac } from "../../guests/mac-address.ts";
import { ipconfigFormat, netFormat } from "./net-formats.ts";

/** A network device: qemu-server `src/PVE/QemuServer/Network.pm`. */
export interface Net {
  model: string;
  macaddr?: string;
  bridge?: string;
  tag?: string;
  trunks?: string;
  [key: string]: string | undefined;
}

/** `parse_net`, but without a generated address. */
export function parseNet(text: string): Net {
  return { model: "", ...parsePropertyString(netFormat, text) };
}

export function printNet(net: Net): string {
  const keys = Object.entries(net).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return printPropertyString(netFormat, Object.fromEntries(keys));
}

/** The device printed again; one without an address gets one. */
export function completeNet(process: Process, text: string): string {
  const net = parseNet(text);
  return printNet({ ...net, macaddr: net.macaddr ?? randomMac(process.sim) });
}

export interface IpConfig {
  ip?: string;
  gw?: string;
  ip6?: string;
  gw6?: string;
}

/** `parse_ipconfig`: undefined where PVE only warns; without any address it means DHCP. */
export function parseIpConfig(text: string): IpConfig | undefined {
  let config: IpConfig;
  try {
    config = parsePropertyString(ipconfigFormat, text);
  } catch {
    return undefined;
  }
  const { ip, gw, ip6, gw6 } = config;
  if (gw !== undefined && (ip === undefined || ip === "dhcp")) {
    return undefined;
  }
  if (gw6 !== undefined && !ip6?.includes(":")) {
    return undefined;
  }
  return ip === undefined && ip6 === undefined ? { ip: "dhcp", ip6: "dhcp" } : config;
}

const netKey = /^net\d+$/;

/** The network devices of a configuration, by key in text order (`net10` before `net2`), as PVE sorts them. */
export function netsOf(section: Record<string, string | undefined>): [key: string, value: string][] {
  return Object.entries(section)
    .filter((entry): entry is [string, string] => netKey.test(entry[0]) && entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
