import { endpoint } from "../../core/kernel/endpoint.ts";
import { paramError } from "../../core/kernel/failure.ts";
import { boolean } from "../../core/schema/schema.ts";
import { node, snapshotName, vmid } from "../../core/schema/standard-options.ts";
import type { Guest } from "../../core/world/guest.ts";
import { getSnapshot } from "../../core/world/guest.ts";
import type { World } from "../../core/world/world.ts";
import { configDigest } from "../config/config-text.ts";
import { isTrue } from "../config/perl.ts";
import { typedSection } from "../config/stored-value.ts";
import { isCpuReadable } from "../custom-cpu.ts";
import { getVm } from "../vm.ts";

const maskedPassword = "**********";

type Answer = Record<string, string | number>;

function masked(section: Guest["config"], mask = maskedPassword): Guest["config"] {
  return isTrue(section["cipassword"]) ? { ...section, cipassword: mask } : section;
}

/** `load_current_config`: the VM with its pending changes, or without them for `current`. */
function currentConfig(world: World, guest: Guest, current: boolean): Answer {
  const { config, pending } = guest;
  const merged = current ? { ...config } : { ...config, ...pending.set };
  if (!isCpuReadable(world, merged["cpu"])) {
    delete merged["cpu"];
  }
  for (const key of current ? [] : Object.keys(pending.delete)) {
    // Only a value that is true in Perl is hidden: a `0` with a pending removal is still shown.
    if (isTrue(merged[key])) {
      delete merged[key];
    }
  }
  return { ...typedSection(masked(merged)), digest: configDigest(guest) };
}

function snapshotConfig(guest: Guest, name: string): Answer {
  return { ...typedSection(masked(getSnapshot(guest, name))), digest: configDigest(guest) };
}

/** `config_with_pending_array` of pve-guest-common `src/PVE/GuestHelpers.pm`. */
function pendingItems(guest: Guest): Record<string, unknown>[] {
  const { config, pending } = guest;
  const values = { ...typedSection(masked(config)), digest: configDigest(guest) };
  // The blank makes a pending password differ from the current one.
  const waiting = typedSection(masked(pending.set, `${maskedPassword} `));
  const present = Object.entries(values).map(([key, value]) => ({
    key,
    value,
    ...(waiting[key] !== undefined && { pending: waiting[key] }),
    ...(pending.delete[key] !== undefined && { delete: pending.delete[key] }),
  }));
  const added = Object.entries(waiting)
    .filter(([key]) => config[key] === undefined)
    .map(([key, value]) => ({ key, pending: value }));
  // PVE treats the removal of an option that is not set as forced.
  const absent = Object.keys(pending.delete)
    .filter((key) => config[key] === undefined)
    .map((key) => ({ key, delete: 2 }));
  return [...present, ...added, ...absent];
}

const mayAudit = { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] } as const;

/** qemu-server `src/PVE/API2/Qemu.pm`: vm_config, vm_pending. */
export const readConfigEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/config",
    proxyTo: "node",
    permissions: mayAudit,
    parameters: {
      node,
      vmid,
      current: boolean({ optional: true, default: 0 }),
      snapshot: { ...snapshotName, optional: true },
    },
    handler: (call) => {
      const { vmid: id, current, snapshot } = call.params;
      if (isTrue(snapshot) && current === 1) {
        const text = "cannot use 'snapshot' parameter with 'current'";
        paramError({ snapshot: text, current: text });
      }
      const guest = getVm(call, id);
      return isTrue(snapshot) ? snapshotConfig(guest, snapshot) : currentConfig(call.world, guest, current === 1);
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/pending",
    proxyTo: "node",
    permissions: mayAudit,
    parameters: { node, vmid },
    handler: (call) => pendingItems(getVm(call, call.params.vmid)),
  }),
];
