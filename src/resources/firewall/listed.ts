import { defineListResource } from "#kit";
import { firewallAlias } from "./alias.ts";
import { firewallIpset } from "./ipset.ts";
import { clusterScope, requirePlace } from "./scope.ts";
import { firewallSecurityGroup } from "./security-group.ts";

/** `list` blocks of `terraform query`. Names of guests are not listed: that would take a call for each guest. */
export const listAliases = defineListResource({
  resource: firewallAlias,
  doc: "Every alias of the cluster's firewall, to be queried and imported. Those of guests are not listed.",
  attributes: {},
  async *list({ api, signal }) {
    const place = await requirePlace(api, clusterScope);
    for (const { name } of await api.firewall.aliases(place).list({ signal }))
      yield { id: { id: name }, displayName: name };
  },
});

export const listIpsets = defineListResource({
  resource: firewallIpset,
  doc: "Every IP set of the cluster's firewall, to be queried and imported. Those of guests are not listed.",
  attributes: {},
  async *list({ api, signal }) {
    const place = await requirePlace(api, clusterScope);
    for (const { name } of await api.firewall.sets(place).list({ signal }))
      yield { id: { id: name }, displayName: name };
  },
});

export const listSecurityGroups = defineListResource({
  resource: firewallSecurityGroup,
  doc: "Every security group of the cluster, to be queried and imported.",
  attributes: {},
  async *list({ api, signal }) {
    for (const { group } of await api.firewall.groups.list({ signal })) yield { id: { id: group }, displayName: group };
  },
});
