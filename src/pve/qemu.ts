import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { flag, integer, nothing, number, text, upid, withGivenName, words } from "./wire.ts";

/** Where a VM is. The node is placement, the id identity. */
export interface VmAddress {
  readonly node: string;
  readonly vmid: number;
}

const listed = z
  .looseObject({
    vmid: integer,
    name: text.optional(),
    status: z.string(),
    template: flag.optional(),
    lock: z.string().optional(),
    tags: words.optional(),
    uptime: number.optional(),
  })
  .transform(withGivenName);

const current = z.looseObject({
  vmid: integer,
  name: text.optional(),
  /** `running` or `stopped`; `qmpstatus` knows `paused` and the rest. */
  status: z.string(),
  qmpstatus: z.string().optional(),
  template: flag.optional(),
  lock: z.string().optional(),
  uptime: number.optional(),
  agent: flag.optional(),
  /** No state: HA has been told of the VM and has not looked at it yet. */
  ha: z.looseObject({ managed: flag.optional(), state: z.string().nullish() }).optional(),
});

/** A VM's configuration: what this layer itself reads, and every option as PVE's text (numbers and flags included). */
export interface VmConfig {
  /** Changes with any edit; given back to PVE it refuses a write over somebody else's. */
  readonly digest: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly lock: string | undefined;
  readonly isTemplate: boolean;
  readonly tags: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

/** Every one has a digest, so an answer without is no configuration (qemu-server: src/PVE/QemuServer.pm, `parse_vm_config`). */
const config = z
  .record(z.string(), z.union([text, flag.transform((on) => (on ? "1" : "0"))]))
  .refine((options) => options["digest"] !== undefined, { path: ["digest"], error: "is missing" })
  .transform(
    ({ digest = "", ...options }): VmConfig => ({
      digest,
      name: options["name"],
      description: options["description"],
      lock: options["lock"],
      isTemplate: options["template"] === "1",
      tags: words.parse(options["tags"] ?? ""),
      options,
    }),
  );

/** One option of a VM with a change that waits for the next start. `delete`: 1 plainly, 2 with its volume. */
const pendingOption = z.looseObject({
  key: z.string(),
  value: text.optional(),
  pending: text.optional(),
  delete: integer.optional(),
});

const feature = z.looseObject({ hasFeature: flag, nodes: z.array(z.string()).optional() });

export type ListedVm = z.infer<typeof listed>;
export type VmStatus = z.infer<typeof current>;
export type PendingOption = z.infer<typeof pendingOption>;

/** Hardware cannot be set by a clone: that takes a configuration call afterwards. */
export type CloneRequest = Parameters & {
  readonly newid: number;
  readonly name?: string;
  readonly description?: string;
  readonly pool?: string;
  readonly full?: boolean;
  readonly storage?: string;
  readonly format?: "raw" | "qcow2" | "vmdk";
  readonly snapname?: string;
  readonly target?: string;
  /** KiB/s. */
  readonly bwlimit?: number;
};

/** Options to set, and `delete` for those to remove. */
export type ConfigChange = Parameters & {
  readonly delete?: readonly string[];
  readonly revert?: readonly string[];
  /** With `delete`: destroys the volumes too. */
  readonly force?: boolean;
  readonly digest?: string;
};

/** The two parts of an address and nothing else: callers hand in richer objects, and PVE refuses what it does not know. */
export function at({ node, vmid }: VmAddress): VmAddress & Parameters {
  return { node, vmid };
}

/** `/nodes/{node}/qemu` (qemu-server: src/PVE/API2/Qemu.pm). Calls that start a task return its id. */
export function qemuCalls(api: Api) {
  return {
    /** Live: names, status and template flag as they are now. VMs the caller may not audit are silently missing. */
    list: (node: string, options?: CallOptions) => api.get("/nodes/{node}/qemu", { node }, z.array(listed), options),

    create: (node: string, vm: Parameters & { readonly vmid: number }, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu", { ...vm, node }, upid, options),

    clone: (source: VmAddress, request: CloneRequest, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu/{vmid}/clone", { ...request, ...at(source) }, upid, options),

    /** Volumes the config does not name stay unless `destroy-unreferenced-disks` is given. */
    remove: (
      vm: VmAddress,
      request: { readonly purge?: boolean; readonly "destroy-unreferenced-disks"?: boolean } = {},
      options?: CallOptions,
    ) => api.delete("/nodes/{node}/qemu/{vmid}", { ...request, ...at(vm) }, upid, options),

    /** As it will be after the next start; `current` shows what runs now. */
    getConfig: (
      vm: VmAddress,
      view: { readonly current?: boolean; readonly snapshot?: string } = {},
      options?: CallOptions,
    ) => api.get("/nodes/{node}/qemu/{vmid}/config", { ...view, ...at(vm) }, config, options),

    findConfig: (vm: VmAddress, options?: CallOptions) =>
      orNull(api.get("/nodes/{node}/qemu/{vmid}/config", at(vm), config, options)),

    /** Done when it returns; no task. What cannot be changed live waits in `pending`. */
    updateConfig: (vm: VmAddress, change: ConfigChange, options?: CallOptions) =>
      api.put("/nodes/{node}/qemu/{vmid}/config", { ...change, ...at(vm) }, nothing, options),

    /** The same as a task: for changes that allocate or import volumes, which may outlast a request. */
    startConfigUpdate: (vm: VmAddress, change: ConfigChange, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu/{vmid}/config", { ...change, ...at(vm) }, upid.nullable(), options),

    listPending: (vm: VmAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu/{vmid}/pending", at(vm), z.array(pendingOption), options),

    /** What the cloud-init drive does not show yet. */
    listCloudInit: (vm: VmAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu/{vmid}/cloudinit", at(vm), z.array(pendingOption), options),

    regenerateCloudInit: (vm: VmAddress, options?: CallOptions) =>
      api.put("/nodes/{node}/qemu/{vmid}/cloudinit", at(vm), nothing, options),

    makeTemplate: (vm: VmAddress, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu/{vmid}/template", at(vm), upid, options),

    hasFeature: (
      vm: VmAddress,
      request: { readonly feature: "snapshot" | "clone" | "copy"; readonly snapname?: string },
      options?: CallOptions,
    ) => api.get("/nodes/{node}/qemu/{vmid}/feature", { ...request, ...at(vm) }, feature, options),

    getStatus: (vm: VmAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu/{vmid}/status/current", at(vm), current, options),
  };
}

export type QemuCalls = ReturnType<typeof qemuCalls>;
