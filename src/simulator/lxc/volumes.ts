import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import type { Process } from "../core/kernel/process.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { string } from "../core/schema/schema.ts";
import { parseSize } from "../core/schema/size.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import { getSnapshot } from "../core/world/guest.ts";
import { resizeImage } from "../storage/images.ts";
import { createBaseDisk } from "../storage/vdisk.ts";
import { describeVolume, hasFeature, volumeSize } from "../storage/volumes.ts";
import {
  assertContainerDigest,
  checkLock,
  getContainer,
  isRunning,
  isTemplate,
  withContainerLock,
} from "./container.ts";
import { isLinkable, mountsOf, parseMount, printMount } from "./mounts.ts";
import { mountKeys } from "./options.ts";

// Operations on a container's volumes: pve-container `src/PVE/API2/LXC.pm`, `resize_vm`, `template`, `vm_feature`.

interface Resize {
  readonly vmid: number;
  readonly disk: string;
  readonly size: string;
  readonly digest?: string | undefined;
}

/** The new size in bytes, after all checks of PVE. */
function checkResize(process: Process, { vmid: id, disk, size, digest }: Resize): { volume: string; bytes: number } {
  const { world } = process.sim;
  const guest = getContainer(process, id);
  checkLock(guest);
  process.caller.checkVm(id, undefined, ["VM.Config.Disk"]);
  assertContainerDigest(guest, digest);
  const { volume } = parseMount(disk, guest.config[disk] ?? "");
  const { vmid: owner, storage } = describeVolume(world, volume);
  if (owner !== id) {
    die(`can't resize mount point owned by another container (${owner})`);
  }
  process.caller.check(`/storage/${storage.storage}`, ["Datastore.AllocateSpace"]);
  const current =
    volumeSize(world, volume, process.node) ?? die(`Could not determine current size of volume '${volume}'`);
  const requested = parseSize(size.replace(/^\+/, "")) ?? die("invalid size string");
  const bytes = size.startsWith("+") ? current + requested : requested;
  if (bytes < current) {
    die("unable to shrink disk size");
  }
  return bytes === current ? die("disk is already at specified size") : { volume, bytes };
}

function resize(process: Process, request: Resize): void {
  const { volume, bytes } = checkResize(process, request);
  resizeImage(process.sim.world, volume, process.node, bytes);
  const { config } = getContainer(process, request.vmid);
  const mount = parseMount(request.disk, config[request.disk] ?? "");
  config[request.disk] = printMount(request.disk, { ...mount, size: String(bytes) });
}

export const containerVolumeEndpoints = [
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/lxc/{vmid}/resize",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Config.Disk"], { any: true }] },
    parameters: {
      node,
      vmid,
      disk: string({ enum: mountKeys }),
      size: string({ pattern: "\\+?\\d+(\\.\\d+)?[KMGT]?" }),
      digest: string({ optional: true, maxLength: 40 }),
    },
    handler: (call) => {
      checkResize(call, call.params);
      const { vmid: id } = call.params;
      return call.worker("resize", String(id), (task) => withContainerLock(task, id, () => resize(task, call.params)));
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/lxc/{vmid}/template",
    ...onGuest("VM.Allocate"),
    parameters: { node, vmid },
    handler: async (call) => {
      const { vmid: id } = call.params;
      await withContainerLock(call, id, () => {
        const guest = getContainer(call, id);
        checkLock(guest);
        if (Object.keys(guest.snapshots).length > 0) {
          die("unable to create template, because CT contains snapshots");
        }
        if (isTemplate(guest)) {
          die("you can't convert a template to a template");
        }
        if (isRunning(call, id)) {
          die("you can't convert a CT to template if the CT is running");
        }
        call.worker("vztemplate", String(id), (task) => makeTemplate(task, id));
      });
      return null;
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/lxc/{vmid}/feature",
    ...onGuest("VM.Audit"),
    parameters: {
      node,
      vmid,
      feature: string({ enum: ["snapshot", "clone", "copy"] }),
      snapname: string({ optional: true, format: configIdFormat, maxLength: 40 }),
    },
    handler: (call) => {
      const { feature, snapname, vmid: id } = call.params;
      const guest = getContainer(call, id);
      const section = snapname === undefined ? guest.config : getSnapshot(guest, snapname);
      const has = (volume: string) =>
        feature === "clone"
          ? isLinkable(call.world, volume, snapname)
          : hasFeature(call.world, feature, volume, snapname);
      const can = mountsOf(section).every(([, { volume }]) => has(volume));
      return { hasFeature: can ? 1 : 0 };
    },
  }),
];

/** `template_create`: checks all volumes before it changes any. */
async function makeTemplate(process: Process, id: number): Promise<void> {
  const guest = getContainer(process, id);
  const mounts = mountsOf(guest.config);
  const unable = mounts.find(([, { volume }]) => !hasFeature(process.sim.world, "template", volume))?.[1];
  if (unable !== undefined) {
    die(`Template feature is not available for '${unable.volume}'`);
  }
  for (const [key, mount] of mounts) {
    const volume = await createBaseDisk(process, mount.volume);
    guest.config[key] = printMount(key, { ...mount, volume });
  }
  guest.config["template"] = "1";
}
