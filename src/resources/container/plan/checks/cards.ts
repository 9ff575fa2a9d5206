import { type Change, isKnown } from "../../../guest/plan/checks/change.ts";
import type { ContainerPlan } from "../../contexts.ts";

/** PVE starts no container with a card without a bridge (pve-container: src/PVE/LXC.pm, `update_lxc_config`). */
export function checkBridges(context: ContainerPlan, { before, after }: Change): void {
  for (const slot of Object.keys(context.config.networks ?? {})) {
    if (!after.has(slot) || !isKnown(context, ["networks", slot, "bridge"])) continue;
    const bridges = [before, after].map((draft) => draft.read({ option: slot, key: "bridge" }) ?? null);
    if (bridges[1] !== null || (before.has(slot) && bridges[0] === null)) continue;
    context.report.error(
      ["networks", slot, "bridge"],
      "Bridge needed",
      `\`${slot}\` would be connected to nothing, and Proxmox VE starts no container with such a card. Name a bridge, such as \`vmbr0\`.`,
    );
  }
}
