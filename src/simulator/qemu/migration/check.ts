import { endpoint } from "../../core/kernel/endpoint.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process } from "../../core/kernel/process.ts";
import { splitList } from "../../core/schema/format.ts";
import { parsePropertyString } from "../../core/schema/property-string.ts";
import { node, vmid } from "../../core/schema/standard-options.ts";
import type { Section } from "../../core/world/guest.ts";
import type { World } from "../../core/world/world.ts";
import { getStorage, isDisabled, isShared } from "../../storage/storages.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { hostpciFormat, usbFormat, virtiofsFormat } from "../config/device-formats.ts";
import { drivesOf } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { volumesOf } from "../disks/vm-volumes.ts";
import { checkLock, getVm } from "../vm.ts";
import { stateBlockers } from "./non-migratable.ts";

export interface LocalResources {
  /** Options that bind the VM to its node. */
  readonly local: string[];
  /** Options whose device is mapped for the whole cluster. */
  readonly mapped: Record<string, { name: string }>;
}

/** `check_local_resources` in qemu-server `src/PVE/QemuMigrate/Helpers.pm`. */
export function localResources(config: Section, running: boolean): LocalResources {
  const local = [...(running ? stateBlockers(config) : []), ...(isTrue(config["ivshmem"]) ? ["ivshmem"] : [])];
  const mapped: LocalResources["mapped"] = {};
  for (const [key, value] of Object.entries(config)) {
    if (/^usb\d+$/.test(key)) {
      const { host, mapping } = parsePropertyString(usbFormat, value);
      if (/^spice$/i.test(host ?? "")) {
        continue;
      }
      Object.assign(mapped, isTrue(mapping) && { [key]: { name: mapping } });
    } else if (/^hostpci\d+$/.test(key)) {
      const { mapping } = parsePropertyString(hostpciFormat, value);
      Object.assign(mapped, isTrue(mapping) && { [key]: { name: mapping } });
      if (isTrue(mapping) && !running) {
        continue;
      }
    } else if (/^virtiofs\d+$/.test(key)) {
      mapped[key] = { name: parsePropertyString(virtiofsFormat, value)["dirid"] ?? "" };
    } else if (/^serial\d+$/.test(key) && value === "socket") {
      continue;
    }
    if (/^(?:usb|hostpci|serial|parallel|virtiofs)\d+$/.test(key)) {
      local.push(key);
    }
  }
  return { local, mapped };
}

/** Storages of the VM that are not available on a node (`check_local_storage_availability`). */
function unavailableStorages(world: World, config: Section, nodeName: string): string[] {
  const used = drivesOf(config).flatMap(([, { file }]) => findVolumeId(file)?.storage ?? []);
  return [...new Set(used)].sort().filter((id) => {
    const storage = getStorage(world, id);
    const { nodes } = storage.options;
    return isDisabled(storage) || (nodes !== undefined && !splitList(nodes).includes(nodeName));
  });
}

function localDisks(process: Process, id: number): Record<string, unknown>[] {
  return [...volumesOf(getVm(process, id))].flatMap(([volid, use]) => {
    const storage = findVolumeId(volid)?.storage;
    const shared = storage !== undefined && isShared(getStorage(process.sim.world, storage));
    return shared || use.shared === 1 || (use.cdrom === 1 && volid === "none") ? [] : [{ ...use, volid }];
  });
}

export const migrateCheckEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/migrate",
    ...onGuest("VM.Migrate"),
    parameters: { node, vmid, target: { ...node, optional: true } },
    handler: (call) => {
      const { vmid: id } = call.params;
      const guest = getVm(call, id);
      checkLock(guest);
      const running = guest.run !== undefined;
      const { local, mapped } = localResources(guest.config, running);
      const allowed: string[] = [];
      const refused: Record<string, unknown> = {};
      for (const name of Object.keys(call.world.nodes).filter((candidate) => candidate !== call.node)) {
        const storages = unavailableStorages(call.world, guest.config, name);
        if (storages.length > 0) {
          refused[name] = { unavailable_storages: storages };
        } else {
          allowed.push(name);
        }
      }
      return {
        running: running ? 1 : 0,
        allowed_nodes: allowed,
        not_allowed_nodes: refused,
        local_disks: localDisks(call, id),
        local_resources: local,
        "mapped-resources": Object.keys(mapped).sort(),
        "mapped-resource-info": mapped,
        "has-dbus-vmstate": 1,
      };
    },
  }),
];
