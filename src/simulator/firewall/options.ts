import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { paramError } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdListFormat } from "../core/schema/formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, integer, type Properties, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import { typedOptions } from "../core/sections/section-config.ts";
import type { FirewallFile } from "../core/world/firewall.ts";
import { assertListDigest, changeFirewall, listDigest, readFirewall } from "./files.ts";
import { conntrackHelperFormat } from "./formats.ts";
import { logLevels } from "./rule.ts";
import { checkRunningVnet, clusterScope, containerScope, nodeScope, type Scope, vmScope, vnetScope } from "./scopes.ts";

const off = boolean({ optional: true, default: 0 });
const on = boolean({ optional: true, default: 1 });
const flag = boolean({ optional: true });
const level = string({ optional: true, enum: logLevels });
const policy = string({ optional: true, enum: ["ACCEPT", "REJECT", "DROP"] });

const rateLimitFormat = propertyFormat({
  enable: boolean({ default_key: true, default: "1" }),
  rate: string({ optional: true, pattern: "[1-9][0-9]*\\/(second|minute|hour|day)", default: "1/second" }),
  burst: integer({ optional: true, minimum: 0, default: 5 }),
});

const clusterOptions = {
  ebtables: on,
  enable: integer({ optional: true, minimum: 0, default: 0 }),
  log_ratelimit: string({ optional: true, format: rateLimitFormat }),
  policy_forward: string({ optional: true, enum: ["ACCEPT", "DROP"] }),
  policy_in: policy,
  policy_out: policy,
};

const nodeOptions = {
  enable: on,
  log_level_forward: level,
  log_level_in: level,
  log_level_out: level,
  log_nf_conntrack: off,
  ndp: on,
  nf_conntrack_allow_invalid: off,
  nf_conntrack_helpers: string({ optional: true, format: conntrackHelperFormat, default: "" }),
  nf_conntrack_max: integer({ optional: true, minimum: 32768, default: 262144 }),
  nf_conntrack_tcp_timeout_established: integer({ optional: true, minimum: 7875, default: 432000 }),
  nf_conntrack_tcp_timeout_syn_recv: integer({ optional: true, minimum: 30, maximum: 60, default: 60 }),
  nftables: off,
  nosmurfs: flag,
  protection_synflood: off,
  protection_synflood_burst: integer({ optional: true, default: 1000 }),
  protection_synflood_rate: integer({ optional: true, default: 200 }),
  smurf_log_level: level,
  tcp_flags_log_level: level,
  tcpflags: off,
};

const vnetOptions = {
  enable: off,
  log_level_forward: level,
  policy_forward: string({ optional: true, enum: ["ACCEPT", "DROP"] }),
};

const guestOptions = {
  dhcp: off,
  enable: off,
  ipfilter: flag,
  log_level_in: level,
  log_level_out: level,
  macfilter: on,
  ndp: on,
  policy_in: policy,
  policy_out: policy,
  radv: flag,
};

/** Seconds for which the cluster's switch stays on with a time stamp as its value. */
const trialSeconds = 60;

/** `parse_clusterfw_option`: a switch that was turned on for a test is off after a minute. */
function currentOptions({ options }: FirewallFile, now: number): FirewallFile["options"] {
  const since = Number(options["enable"] ?? 0);
  return since > 1 && now - since > trialSeconds ? { ...options, enable: "0" } : options;
}

/** The options of a place, with the digest of their file. */
function endpointsOf(scope: Scope, properties: Properties) {
  const path = `${scope.path}/options`;
  // Unlike rules, a guest's options are read on the node of the guest.
  const proxyTo = scope === clusterScope || scope === vnetScope ? {} : ({ proxyTo: "node" } as const);
  const current = (call: Pick<Call, "world" | "params" | "sim">) =>
    typedOptions(currentOptions(readFirewall(call.world, scope.key(call.params)), call.sim.clock.now()), properties);
  // The privileges of a vnet's options have another order in PVE's text than those of its rules.
  const guard = (call: Call, access: "read" | "write") =>
    scope === vnetScope && access === "read"
      ? checkRunningVnet(call.world, call.caller, String(call.params["vnet"]), ["SDN.Allocate", "SDN.Audit"])
      : scope.guard?.(call, access);
  return [
    endpoint({
      ...proxyTo,
      method: "GET",
      path,
      permissions: scope.read,
      parameters: scope.parameters,
      handler: (call) => {
        guard(call as Call, "read");
        const options = current(call as Call);
        return { ...options, digest: listDigest([options]) };
      },
    }),
    endpoint({
      ...proxyTo,
      method: "PUT",
      path,
      protected: true,
      permissions: scope.write,
      parameters: {
        ...scope.parameters,
        ...properties,
        delete: string({ optional: true, format: configIdListFormat }),
        digest,
      },
      handler: (call) => {
        const { params, given, sim } = call;
        guard(call, "write");
        return changeFirewall(call, scope.key(call.params), ({ options }) => {
          assertListDigest([current(call)], params.digest);
          for (const name of splitList(params.delete ?? "")) {
            if (properties[name] === undefined) {
              paramError({ delete: `no such option '${name}'` });
            }
            delete options[name];
          }
          for (const name of Object.keys(properties).filter((candidate) => given[candidate] !== undefined)) {
            options[name] = String(given[name]);
          }
          // The cluster's switch stores when it was turned on a second time.
          if (Number(given["enable"] ?? 0) > 1) {
            options["enable"] = String(Math.floor(sim.clock.now()));
          }
        });
      },
    }),
  ];
}

export const firewallOptionEndpoints = [
  ...endpointsOf(clusterScope, clusterOptions),
  ...endpointsOf(nodeScope, nodeOptions),
  ...endpointsOf(vmScope, guestOptions),
  ...endpointsOf(containerScope, guestOptions),
  ...endpointsOf(vnetScope, vnetOptions),
];
