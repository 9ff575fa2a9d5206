import { paramError } from "../core/kernel/failure.ts";
import { isInNetwork, parseIp, parseNetwork } from "../core/schema/ip-address.ts";
import { dnsNameFormat, ipFormat } from "../core/schema/network-formats.ts";
import { array, boolean, string } from "../core/schema/schema.ts";
import type { OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import type { SectionChange, SectionFile } from "../core/sections/section-file.ts";
import type { ConfigSection, SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { addAddress, addSubnet, hasOwnIpam, removeAddress, removeSubnet } from "./addresses.ts";
import { rangesOf } from "./dhcp-ranges.ts";
import { dhcpRangeFormat, subnetIdFormat, vnetId } from "./formats.ts";
import { changeOf, lockToken, viewSections, views } from "./sections.ts";
import { type SubnetParts, subnetParts } from "./subnets.ts";
import { checkVnetAccess, vnetReaders } from "./vnet-endpoints.ts";

const optional = { optional: true } as const;
const address = string({ optional: true, format: ipFormat });

const options = {
  "dhcp-dns-server": address,
  "dhcp-range": array(string({ format: dhcpRangeFormat }), optional),
  dnszoneprefix: string({ optional: true, format: dnsNameFormat }),
  gateway: address,
  snat: boolean(optional),
  vnet: string({ optional: false }),
};

const rules: OptionRules = {
  vnet: {},
  gateway: optional,
  snat: optional,
  dnszoneprefix: optional,
  "dhcp-range": optional,
  "dhcp-dns-server": optional,
};

/** `validate_dhcp_ranges`. */
function checkRanges(cidr: string, given: SectionOptions): void {
  const refuse = (text: string) => paramError({ "dhcp-range": text });
  const network = parseNetwork(cidr);
  const seen: [bigint, bigint][] = [];
  for (const range of rangesOf(given)) {
    const [start, end] = (["start-address", "end-address"] as const).map(
      (name) => parseIp(range[name] ?? "") ?? refuse(`${name} is not a valid IP ${range[name]}`),
    ) as [NonNullable<ReturnType<typeof parseIp>>, NonNullable<ReturnType<typeof parseIp>>];
    const { "start-address": first, "end-address": last } = range;
    if (start.value > end.value) {
      refuse(`start-address ${first} must be smaller than end-address ${last}`);
    }
    if (!isInNetwork(network, start)) {
      refuse(`start-address ${first} is not in subnet ${cidr}`);
    }
    if (!isInNetwork(network, end)) {
      refuse(`end-address ${last} is not in subnet ${cidr}`);
    }
    if (seen.some(([low, high]) => start.value <= high && end.value >= low)) {
      refuse("dhcp ranges must not overlap");
    }
    seen.push([start.value, end.value]);
  }
}

/** Updates the zone's address management after a subnet was created or changed. */
function registerSubnet(world: World, parts: SubnetParts, section: ConfigSection, before?: ConfigSection): void {
  const { gateway } = section.options;
  const old = before?.options["gateway"];
  if (before === undefined) {
    addSubnet(world, parts);
  }
  if (gateway !== undefined && gateway !== old) {
    addAddress(world, parts, String(gateway), { gateway: 1 });
  }
  if (old !== undefined && gateway !== old) {
    try {
      removeAddress(world, parts, String(old));
    } catch {
      // A gateway that is not in the database is only a warning.
    }
  }
}

/** `on_update_hook`. */
function verifySubnet({ call, id, section, before }: SectionChange): void {
  const { sdn } = call.world;
  const parts = subnetParts(id);
  const vnet = String(section.options["vnet"]);
  const gateway = section.options["gateway"];
  const owner = sdn.vnets[vnet] ?? paramError({ vnet: `${vnet} don't exist` });
  if (owner.options["vlanaware"] === "1") {
    paramError({ vnet: "you can't add a subnet on a vlanaware vnet" });
  }
  const isPointToPoint = gateway !== undefined && parseIp(String(gateway))?.version === 4 && parts.mask === "32";
  const isInside = isInNetwork(parseNetwork(parts.cidr), parseIp(String(gateway)));
  if (gateway !== undefined && !isInside && !isPointToPoint) {
    paramError({ gateway: `${gateway} is not in subnet ${parts.cidr}` });
  }
  checkRanges(parts.cidr, section.options);
  if (hasOwnIpam(call.world, String(owner.options["zone"]))) {
    if (isPointToPoint) {
      addSubnet(call.world, parts);
    } else {
      registerSubnet(call.world, parts, section, before);
    }
  }
}

const everyUser = { user: "all" } as const;
const nowhere = subnetParts("");

/** pve-network `src/PVE/API2/Network/SDN/Subnets.pm`. */
const subnetFile: SectionFile = {
  path: "/cluster/sdn/vnets/{vnet}/subnets",
  key: "subnet",
  id: string({ format: subnetIdFormat }),
  type: "subnet",
  options,
  changes: { ...options, vnet: string(optional) },
  parameters: {
    path: { vnet: vnetId },
    list: views,
    read: views,
    create: { type: string({ enum: ["subnet"] }) },
    write: lockToken,
  },
  permissions: { list: everyUser, read: everyUser, create: everyUser, update: everyUser, delete: everyUser },
  checks: "under lock",
  deletesMissing: true,
  findsBeforeDigest: true,
  texts: {
    exists: (id) => `sdn subnet object ID '${id}' already defined`,
    missing: (id) => `sdn subnet '${id}' does not exist`,
  },
  idOf: ({ world, params: { vnet, subnet } }, action) =>
    action === "create"
      ? `${world.sdn.vnets[String(vnet)]?.options["zone"]}-${String(subnet).replace("/", "-")}`
      : String(subnet),
  sections: ({ sdn }) => sdn.subnets,
  rulesOf: () => rules,
  view: ({ world, params }) =>
    Object.fromEntries(
      Object.entries(viewSections(world, "subnets", subnetFile, params)).map(([id, entry]) => [
        id,
        { ...entry, id, ...subnetParts(id), "dhcp-range": rangesOf(entry) },
      ]),
    ),
  checkRead: ({ params }, entry) => {
    if (entry["vnet"] !== params["vnet"]) {
      paramError({ vnet: "wrong vnet" });
    }
  },
  isListed: ({ params }, _, entry) => entry["vnet"] === params["vnet"],
  guard: ({ world, caller, params }, action) => {
    const reads = action === "list" || action === "read";
    checkVnetAccess(world, caller, String(params["vnet"]), reads ? vnetReaders : ["SDN.Allocate"]);
  },
  change: changeOf("subnet"),
  verify: verifySubnet,
  verifyDelete: ({ world, params }, id, section) => {
    if (hasOwnIpam(world, String(world.sdn.vnets[String(params["vnet"])]?.options["zone"]))) {
      removeSubnet(world, section === undefined ? nowhere : subnetParts(id));
    }
  },
};

export const subnetEndpoints = sectionEndpoints(subnetFile);
