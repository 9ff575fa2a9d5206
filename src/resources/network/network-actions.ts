import { defineAction, getNode, string } from "#kit";
import { readNetwork, reloadNetwork } from "./staged-network.ts";

const node = { type: string(), mode: "required", doc: "The node." } as const;
const label = ({ node: name }: { readonly [name: string]: unknown }) => `the network of node ${name}`;

/** `proxmox_network_apply`. Server side: pve-manager `PVE/API2/Network.pm`, `reload_network_config`. */
export const networkApplyAction = defineAction({
  type: "proxmox_network_apply",
  subcategory: "Nodes",
  verb: "apply",
  label,
  doc: "Puts all staged changes of a node's network into effect, and waits until the node answers again. Only resources with `apply = false` need it.",
  attributes: { node },

  async invoke({ api, config, progress, log, signal }) {
    await getNode(api, config.node);
    const { staged, isStaged } = await readNetwork(api, config.node, signal);
    if (!isStaged) return progress(`${config.node}: nothing is staged`);
    progress(`${config.node}: reloading ${[...staged].map(([name, state]) => `${name} (${state})`).join(", ")}`);
    const changes = [{ key: "proxmox_network_apply", commitsForeign: true }];
    await reloadNetwork({ api, changes, isOwn: () => true, log, signal }, config.node);
    progress(`${config.node}: in effect`);
  },
});

/** `proxmox_network_revert`. Server side: pve-manager `PVE/API2/Network.pm`, `revert_network_changes`. */
export const networkRevertAction = defineAction({
  type: "proxmox_network_revert",
  subcategory: "Nodes",
  verb: "revert",
  label,
  doc: "Drops all staged changes of a node's network, those of other clients included.",
  attributes: { node },

  async invoke({ api, config, progress, signal }) {
    await getNode(api, config.node);
    const { staged, isStaged } = await readNetwork(api, config.node, signal);
    if (!isStaged) return progress(`${config.node}: nothing is staged`);
    progress(`${config.node}: dropping ${[...staged].map(([name, state]) => `${name} (${state})`).join(", ")}`);
    await api.network.discard(config.node, { signal });
    api.store.forget(`/nodes/${config.node}/network`);
  },
});
