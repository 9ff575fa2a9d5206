import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { ipFormat, isIP } from "../core/schema/network-formats.ts";
import { string } from "../core/schema/schema.ts";
import { digest, node } from "../core/schema/standard-options.ts";
import { assertDigest, sha1 } from "../core/sections/section-config.ts";
import { getNode, resolverOf } from "../core/world/node.ts";
import type { World } from "../core/world/world.ts";

// Small files of a host that its administrator edits: resolv.conf, hosts, the time zone.

function hostsOf(world: World, name: string): string {
  const { hosts, address } = getNode(world, name);
  return hosts ?? `127.0.0.1 localhost.localdomain localhost\n${address} ${name}.example.com ${name}\n`;
}

/** INotify.pm `write_etc_hosts`. */
function checkHosts(text: string): void {
  for (const line of text.split("\n").filter((candidate) => !/^\s*(?:#.*)?$/.test(candidate))) {
    const [address = "", ...names] = line.split(/\s+/);
    if (!isIP(address)) {
      paramError({ data: `Invalid IP '${address}'` });
    }
    const bad = names.find((name) => !/^[.\-a-zA-Z0-9]+$/.test(name));
    if (bad !== undefined) {
      paramError({ data: `Invalid Hostname '${bad}'` });
    }
  }
}

const mayRead = { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/nodes/{node}", ["Sys.Modify"]] } as const;
const server = string({ optional: true, format: ipFormat });

export const hostFileEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/dns",
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: ({ world, node: here }) => resolverOf(world, here),
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/dns",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, search: string(), dns1: server, dns2: server, dns3: server },
    handler: ({ params, world, node: here }) => {
      const { search, dns1, dns2, dns3 } = params;
      const servers = [...new Set([dns1, dns2, dns3])].filter((address) => address && address !== "0.0.0.0");
      getNode(world, here).dns = {
        // The file is read back up to the first blank.
        ...(search && { search: search.split(/\s/)[0] }),
        ...Object.fromEntries(servers.map((address, index) => [`dns${index + 1}`, address])),
      };
      return null;
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hosts",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Audit"]] },
    parameters: { node },
    handler: ({ world, node: here }) => {
      const data = hostsOf(world, here);
      return { data, digest: sha1(data) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/hosts",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, data: string(), digest },
    handler: ({ params, world, node: here }) => {
      assertDigest(sha1(hostsOf(world, here)), params.digest);
      checkHosts(params.data);
      getNode(world, here).hosts = params.data;
      return null;
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/time",
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: ({ world, sim, node: here }) => {
      const timezone = getNode(world, here).timezone ?? "Etc/UTC";
      const time = Math.floor(sim.clock.now());
      return { timezone, time, localtime: time + zoneOffset(timezone, time) };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/time",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, timezone: string() },
    handler: ({ params, world, node: here }) => {
      zoneOffset(params.timezone, 0);
      getNode(world, here).timezone = params.timezone;
      return null;
    },
  }),
];

/** Seconds by which the time zone is ahead of UTC. */
function zoneOffset(timezone: string, time: number): number {
  try {
    const options = { timeZone: timezone, hour12: false, dateStyle: "short", timeStyle: "medium" } as const;
    const local = new Date(time * 1000).toLocaleString("sv-SE", options);
    return Date.parse(`${local.replace(" ", "T")}Z`) / 1000 - time;
  } catch {
    return die(`No such timezone: '${timezone}'`);
  }
}
