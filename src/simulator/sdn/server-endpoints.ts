import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { serviceProblem } from "../core/kernel/outside-world.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { isInNetwork, parseIp, parseNetwork } from "../core/schema/ip-address.ts";
import { integer, string } from "../core/schema/schema.ts";
import type { OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { digestOf, plainSections, type SectionFile } from "../core/sections/section-file.ts";
import type { Sdn } from "../core/world/sdn.ts";
import type { SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { dnsId, ipamId } from "./formats.ts";
import { allIpams, ownIpam } from "./ipams.ts";
import { changeOf, lockToken } from "./sections.ts";
import { subnetParts, subnetsOfVnet } from "./subnets.ts";

// Servers outside the cluster for addresses and names: pve-network `src/PVE/API2/Network/SDN/{Ipams,Dns}.pm`.

const optional = { optional: true } as const;
const text = string(optional);
const fingerprint = string({ optional: true, pattern: "([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}" });
const ipamTypes = ["netbox", "phpipam", ownIpam] as const;

const ipamRules: Readonly<Record<string, OptionRules>> = {
  netbox: { url: {}, token: {}, fingerprint: optional },
  phpipam: { url: {}, token: {}, section: {}, fingerprint: optional },
  pve: {},
};

/** The connection is checked before the server is stored. */
async function checkService(path: string, { url }: SectionOptions, text: string): Promise<void> {
  const problem = await serviceProblem(`${url}${path}`);
  if (problem !== undefined) {
    die(`${text}: Invalid response from server: ${problem}`);
  }
}

const permissionsBelow = (place: string, placeholder: string): SectionFile["permissions"] => {
  const all = { check: ["perm", place, ["SDN.Allocate"]] } as const;
  const one = { check: ["perm", `${place}/{${placeholder}}`, ["SDN.Allocate"]] } as const;
  return { list: { user: "all" }, read: one, create: all, update: all, delete: all };
};

const listed =
  (place: string): NonNullable<SectionFile["isListed"]> =>
  ({ caller }, id) =>
    caller.hasAny(`${place}/${id}`, ["SDN.Audit", "SDN.Allocate"]);

/** PVE's own section exists whenever the file is read, and is therefore written with every change. */
async function withOwnIpam<T>(sdn: Sdn, body: () => T | Promise<T>): Promise<T> {
  const before = sdn.ipams;
  sdn.ipams = allIpams(sdn);
  try {
    return await body();
  } catch (thrown) {
    sdn.ipams = before;
    throw thrown;
  }
}

const ipamFile: SectionFile = {
  path: "/cluster/sdn/ipams",
  key: "ipam",
  id: ipamId,
  type: string({ format: configIdFormat, enum: ipamTypes }),
  options: { fingerprint, section: integer(optional), token: text, url: text },
  parameters: { list: { type: string({ optional: true, enum: ipamTypes }) }, write: lockToken },
  permissions: permissionsBelow("/sdn/ipams", "ipam"),
  texts: {
    exists: (id) => `sdn ipam object ID '${id}' already defined`,
    missing: (id) => `sdn '${id}' does not exist`,
  },
  sections: ({ sdn }) => sdn.ipams,
  rulesOf: (type) => ipamRules[type] ?? {},
  view: ({ world }) => ({
    [ownIpam]: { ipam: ownIpam, type: ownIpam, digest: digestOf(ipamFile, world) },
    ...plainSections(ipamFile, world),
  }),
  isListed: listed("/sdn/ipams"),
  // A failed delete has the prefix of zones.
  change: (call, action, body) =>
    changeOf(action === "delete" ? "zone" : "ipam")(call, action, () => withOwnIpam(call.world.sdn, body)),
  verify: async ({ section }) => {
    if (section.type === "netbox") {
      await checkService("/ipam/aggregates/", section.options, "Can't connect to netbox api");
    }
    if (section.type === "phpipam") {
      await checkService(`/sections/${section.options["section"]}`, section.options, "Can't connect to phpipam api");
    }
  },
};

const { url, key, ...dnsOptions } = {
  fingerprint,
  key: string(),
  reversemaskv6: integer(optional),
  ttl: integer(optional),
  url: string(),
};

const dnsFile: SectionFile = {
  path: "/cluster/sdn/dns",
  key: "dns",
  id: dnsId,
  type: string({ format: configIdFormat, enum: ["powerdns"] }),
  options: { ...dnsOptions, key, url, reversev6mask: integer(optional) },
  changes: { ...dnsOptions, key: text, url: text },
  parameters: { list: { type: string({ optional: true, enum: ["powerdns"] }) }, write: lockToken },
  permissions: permissionsBelow("/sdn/dns", "dns"),
  texts: {
    exists: (id) => `sdn dns object ID '${id}' already defined`,
    missing: (id) => `sdn '${id}' does not exist`,
  },
  sections: ({ sdn }) => sdn.dns,
  rulesOf: () => ({ url: {}, key: {}, ttl: optional, reversemaskv6: optional, fingerprint: optional }),
  isListed: listed("/sdn/dns"),
  change: changeOf("dns"),
  verify: ({ section }) => checkService("", section.options, "dns api error"),
};

/** Addresses of the zones that assign them, with the vnet of their subnet. */
function listAddresses(world: World): Record<string, unknown>[] {
  const { running, addresses } = world.sdn;
  return Object.entries(addresses).flatMap(([zone, subnets]) => {
    const { ipam, dhcp } = running.zones[zone]?.options ?? {};
    if (ipam !== ownIpam || dhcp === undefined) {
      return [];
    }
    const vnets = Object.keys(running.vnets).filter((id) => running.vnets[id]?.options["zone"] === zone);
    return Object.entries(subnets).flatMap(([cidr, entries]) => {
      const network = parseIp(cidr.split("/")[0] ?? "");
      const vnet = vnets.find((id) =>
        subnetsOfVnet(world, id, "running").some((subnet) =>
          isInNetwork(parseNetwork(subnetParts(subnet).cidr), network),
        ),
      );
      return vnet === undefined
        ? []
        : Object.entries(entries).map(([ip, { vmid, ...entry }]) => ({
            ...entry,
            ...(vmid !== undefined && { vmid: Number(vmid) }),
            zone,
            subnet: cidr,
            ip,
            vnet,
          }));
    });
  });
}

export const serverEndpoints = [
  ...sectionEndpoints(ipamFile),
  ...sectionEndpoints(dnsFile),
  endpoint({
    method: "GET",
    path: "/cluster/sdn/ipams/{ipam}/status",
    protected: true,
    permissions: { user: "all" },
    parameters: { ipam: ipamId },
    handler: ({ world, params, caller }) => {
      if (params.ipam !== ownIpam) {
        die("Currently only PVE IPAM is supported! at /usr/share/perl5/PVE/API2/Network/SDN/Ipams.pm line 319.");
      }
      return listAddresses(world).filter(({ zone, vnet }) =>
        caller.hasAny(`/sdn/zones/${zone}/${vnet}`, ["SDN.Audit", "SDN.Allocate"]),
      );
    },
  }),
];
