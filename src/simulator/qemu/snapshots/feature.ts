import { endpoint } from "../../core/kernel/endpoint.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import { splitList } from "../../core/schema/format.ts";
import { string } from "../../core/schema/schema.ts";
import { node, snapshotName, vmid } from "../../core/schema/standard-options.ts";
import type { Section } from "../../core/world/guest.ts";
import { getSnapshot } from "../../core/world/guest.ts";
import type { World } from "../../core/world/world.ts";
import { getStorage, isDisabled, isShared } from "../../storage/storages.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { drivesOf } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { getVm, requireVm } from "../vm.ts";
import { allDisksHave } from "./create.ts";

/** `shared_nodes` in qemu-server `src/PVE/QemuServer.pm`: the nodes on which all of the VM's volumes are available. */
function sharedNodes(world: World, config: Section, here: string): string[] {
  const storages = drivesOf(config).flatMap(([, { file }]) => findVolumeId(file)?.storage ?? []);
  return Object.keys(world.nodes).filter((name) =>
    storages.every((id) => {
      const storage = getStorage(world, id);
      const { nodes } = storage.options;
      if (isDisabled(storage)) {
        return false;
      }
      return nodes === undefined ? isShared(storage) || name === here : splitList(nodes).includes(name);
    }),
  );
}

export const featureEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/feature",
    ...onGuest("VM.Audit"),
    parameters: {
      node,
      vmid,
      feature: string({ enum: ["snapshot", "clone", "copy"] }),
      snapname: { ...snapshotName, optional: true },
    },
    handler: (call) => {
      const { vmid: id, feature, snapname } = call.params;
      requireVm(call, id);
      const guest = getVm(call, id);
      const snapshot = isTrue(snapname) ? snapname : undefined;
      const section = snapshot === undefined ? guest.config : getSnapshot(guest, snapshot);
      return {
        hasFeature: allDisksHave(call, section, feature, snapshot) ? 1 : 0,
        nodes: sharedNodes(call.world, section, call.node),
      };
    },
  }),
];
