import { createHash } from "node:crypto";
import type { Section } from "../../core/world/guest.ts";
import { windowsVersion } from "../config/machine.ts";
import { type IpConfig, netsOf, parseIpConfig, parseNet } from "../config/net.ts";
import { isTrue } from "../config/perl.ts";

// The contents of the cloud-init drive: qemu-server `src/PVE/QemuServer/Cloudinit.pm`.

export interface CloudInitSource {
  readonly vmid: number;
  readonly config: Section;
  /** The settings of the host, the defaults for guests. */
  readonly resolver?: { search?: string; dns1?: string; dns2?: string; dns3?: string };
}

/** `get_cloudinit_format`: Windows only supports configdrive2. */
function cloudInitFormat({ citype, ostype }: Section): string {
  return citype ?? (windowsVersion(ostype) > 0 ? "configdrive2" : "nocloud");
}

function hostNames({ vmid, config }: CloudInitSource): { hostname: string; fqdn: string } {
  const name = config["name"] ?? `VM${vmid}`;
  const { searchdomain } = config;
  if (name.includes(".")) {
    return { hostname: name.replace(/\..*$/, ""), fqdn: name };
  }
  return { hostname: name, fqdn: isTrue(searchdomain) ? `${name}.${searchdomain}` : name };
}

/** The non-empty lines of percent-encoded keys. */
function sshKeys(encoded: string): string[] {
  const bytes = encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  return text.split("\n").filter((line) => /\S/.test(line));
}

export function userData(source: CloudInitSource, { maskPassword = false } = {}): string {
  const { ciuser, cipassword, sshkeys, ciupgrade } = source.config;
  const { hostname, fqdn } = hostNames(source);
  return [
    "#cloud-config",
    `hostname: ${hostname}`,
    "manage_etc_hosts: true",
    `fqdn: ${fqdn}`,
    ...(ciuser === undefined ? [] : [`user: ${ciuser}`]),
    ...(ciuser === "root" ? ["disable_root: False"] : []),
    ...(cipassword === undefined ? [] : [`password: ${maskPassword ? "**********" : cipassword}`]),
    ...(sshkeys === undefined ? [] : ["ssh_authorized_keys:", ...sshKeys(sshkeys).map((key) => `  - ${key}`)]),
    "chpasswd:",
    "  expire: False",
    ...(ciuser === "root" ? [] : ["users:", "  - default"]),
    ...(ciupgrade === undefined || isTrue(ciupgrade) ? ["package_upgrade: true"] : []),
    "",
  ].join("\n");
}

/** The network devices with an `ipconfigN`, in text order of their keys. */
function configuredNets({ config }: CloudInitSource): { id: string; mac: string; addresses: IpConfig }[] {
  return netsOf(config).flatMap(([key, value]) => {
    const id = key.replace(/^net/, "");
    const ipconfig = config[`ipconfig${id}`];
    const mac = parseNet(value).macaddr?.toLowerCase() ?? "";
    return isTrue(ipconfig) ? [{ id, mac, addresses: parseIpConfig(ipconfig) ?? {} }] : [];
  });
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** `get_dns_conf`. */
function dnsOf({ config, resolver = {} }: CloudInitSource): { servers: string[]; domains: string[] } {
  const { search = "", dns1 = "", dns2 = "", dns3 = "" } = resolver;
  return {
    servers: words(config["nameserver"] ?? `${dns1} ${dns2} ${dns3}`),
    domains: words(config["searchdomain"] ?? search),
  };
}

function splitAddress(cidr: string): { address: string; prefix: number } {
  const [address = "", prefix = ""] = cidr.split("/");
  return { address, prefix: Number(prefix) };
}

function netmask(prefix: number): string {
  const mask = prefix === 0 ? 0 : (0xffffffff << (32 - prefix)) >>> 0;
  return [24, 16, 8, 0].map((shift) => (mask >>> shift) & 0xff).join(".");
}

function noCloudSubnets({ ip, gw, ip6, gw6 }: IpConfig): string[] {
  const lines: string[] = [];
  if (ip === "dhcp") {
    lines.push("- type: dhcp4");
  } else if (ip !== undefined) {
    const { address, prefix } = splitAddress(ip);
    lines.push("- type: static", `  address: '${address}'`, `  netmask: '${netmask(prefix)}'`);
    lines.push(...(gw === undefined ? [] : [`  gateway: '${gw}'`]));
  }
  if (ip6 === "dhcp") {
    lines.push("- type: dhcp6");
  } else if (ip6 === "auto") {
    lines.push("- type: ipv6_slaac");
  } else if (ip6 !== undefined) {
    lines.push("- type: static6", `  address: '${ip6}'`, ...(gw6 === undefined ? [] : [`  gateway: '${gw6}'`]));
  }
  return lines;
}

function noCloudNetwork(source: CloudInitSource): string {
  const nets = configuredNets(source).flatMap(({ id, mac, addresses }) => [
    "- type: physical",
    `  name: eth${id}`,
    `  mac_address: '${mac}'`,
    "  subnets:",
    ...noCloudSubnets(addresses).map((line) => `  ${line}`),
  ]);
  const { servers, domains } = dnsOf(source);
  const dns = [
    "- type: nameserver",
    ...(servers.length === 0 ? [] : ["  address:", ...servers.map((server) => `  - '${server}'`)]),
    ...(domains.length === 0 ? [] : ["  search:", ...domains.map((domain) => `  - '${domain}'`)]),
  ];
  return `version: 1\nconfig:\n${[...nets, ...dns].map((line) => `    ${line}\n`).join("")}`;
}

function interfaceLines(id: string, { ip, gw, ip6, gw6 }: IpConfig): string[] {
  const indent = "        ";
  const lines = [`auto ${id}`];
  if (ip === "dhcp") {
    lines.push(`iface ${id} inet dhcp`);
  } else if (ip !== undefined) {
    const { address, prefix } = splitAddress(ip);
    lines.push(`iface ${id} inet static`, `${indent}address ${address}`, `${indent}netmask ${netmask(prefix)}`);
    lines.push(...(gw === undefined ? [] : [`${indent}gateway ${gw}`]));
  }
  if (ip6 === "dhcp" || ip6 === "auto") {
    lines.push(`iface ${id} inet6 ${ip6}`);
  } else if (ip6 !== undefined) {
    const { address, prefix } = splitAddress(ip6);
    lines.push(`iface ${id} inet6 static`, `${indent}address ${address}`, `${indent}netmask ${prefix}`);
    lines.push(...(gw6 === undefined ? [] : [`${indent}gateway ${gw6}`]));
  }
  return lines;
}

function configDriveNetwork(source: CloudInitSource): string {
  const { servers, domains } = dnsOf(source);
  const lines = [
    "auto lo",
    "iface lo inet loopback",
    "",
    ...(servers.length === 0 ? [] : [`        dns_nameservers ${servers.join(" ")}`]),
    ...(domains.length === 0 ? [] : [`        dns_search ${domains.join(" ")}`]),
    ...configuredNets(source).flatMap(({ id, addresses }) => interfaceLines(`eth${id}`, addresses)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function networkData(source: CloudInitSource): string {
  return cloudInitFormat(source.config) === "nocloud" ? noCloudNetwork(source) : configDriveNetwork(source);
}

/** The instance id changes with the data, so that the guest runs its configuration again. */
export function metaData(source: CloudInitSource): string {
  const id = createHash("sha1")
    .update(userData(source) + networkData(source))
    .digest("hex");
  if (cloudInitFormat(source.config) === "nocloud") {
    return `instance-id: ${id}\n`;
  }
  return `{\n     "uuid": "${id}",\n     "network_config": { "content_path": "/content/0000" }\n}\n`;
}
