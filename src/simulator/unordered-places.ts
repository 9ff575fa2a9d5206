import type { UnorderedPlaces } from "./core/kernel/untidiness.ts";

/*
 * What Proxmox VE 9.2 answers in the order of a Perl hash: `keys` without `sort` in its API modules. All other lists are
 * sorted, or have an order that means something (rules of a firewall, lines of a log).
 */

type Group = (element: Readonly<Record<string, unknown>>) => unknown;

const anywhere: Group = () => "";

const guestLists = ["qemu", "lxc"].flatMap((kind): [string, Group][] => [
  [`/nodes/{node}/${kind}`, anywhere],
  [`/nodes/{node}/${kind}/{vmid}/pending`, anywhere],
  // The present state is added at the end.
  [`/nodes/{node}/${kind}/{vmid}/snapshot`, ({ name }) => name === "current"],
]);

const lists: [string, Group][] = [
  ...[
    "/access/domains",
    "/access/groups",
    "/access/groups/{groupid}.members",
    "/access/roles",
    "/access/users/{userid}/token",
    "/cluster/acme/plugins",
    "/cluster/backup-info/not-backed-up",
    "/cluster/config/nodes",
    "/cluster/firewall/macros",
    "/cluster/ha/groups",
    "/cluster/ha/resources",
    "/cluster/ha/rules",
    "/cluster/mapping/dir",
    "/cluster/mapping/pci",
    "/cluster/mapping/usb",
    "/cluster/resources",
    "/cluster/sdn/dns",
    "/cluster/sdn/fabrics/all.fabrics",
    "/cluster/sdn/fabrics/all.nodes",
    "/cluster/sdn/fabrics/fabric",
    "/cluster/sdn/fabrics/node",
    "/cluster/sdn/fabrics/node/{fabric_id}",
    "/cluster/sdn/ipams",
    "/cluster/sdn/ipams/{ipam}/status",
    "/nodes",
    "/nodes/{node}/aplinfo",
    "/nodes/{node}/network",
    "/nodes/{node}/qemu/{vmid}/cloudinit",
    "/nodes/{node}/scan/lvm",
    "/nodes/{node}/sdn/zones/{zone}/bridges",
    "/nodes/{node}/sdn/zones/{zone}/content",
    "/nodes/{node}/storage",
    "/storage",
  ].map((place): [string, Group] => [place, anywhere]),
  ...guestLists,
  // Paths are sorted; users, groups and tokens of one path are not.
  ["/access/acl", ({ path, type }) => `${type}:${path}`],
  // The entry of the cluster comes first.
  ["/cluster/status", ({ type }) => type],
];

export const unorderedPlaces: UnorderedPlaces = {
  lists: new Map(lists),
  texts: new Set([
    "/cluster/ha/groups[].nodes",
    "/cluster/ha/groups/{group}.nodes",
    "/cluster/resources[].content",
    "/nodes/{node}/storage[].content",
    "/nodes/{node}/storage/{storage}/status.content",
    "/pools[].members[].content",
    "/pools/{poolid}.members[].content",
    "/storage[].content",
    "/storage[].nodes",
    "/storage/{storage}.content",
    "/storage/{storage}.nodes",
  ]),
  // Not those that are written in Rust: fabrics, notifications.
  configurations: new RegExp(
    `^(?:${[
      "/access/(?:domains|users)(?:/.*)?",
      "/cluster/(?:backup|ha/groups|ha/resources|ha/rules|metrics/server|options|replication)(?:/.*)?",
      "/cluster/(?:firewall|jobs|mapping)/.*",
      "/cluster/sdn/(?:controllers|dns|ipams|vnets|zones)(?:/.*)?",
      "/nodes/{node}/(?:config|dns|network(?:/{iface})?|firewall/.*)",
      "/nodes/{node}/(?:qemu|lxc)/{vmid}/(?:config|pending|snapshot/{snapname}/config|firewall/.*)",
      "/storage(?:/{storage})?",
    ].join("|")})$`,
  ),
};
