import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, flag, integer, nothing, number, text, unordered, upid, withGivenName, words } from "./wire.ts";

/** The address of a VM. The node is its place, the id its identity. */
export interface GuestAddress {
  readonly node: string;
  readonly vmid: number;
}

/** A guest of a list, of either kind. */
export const listedGuest = z
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

/** The state of a guest of either kind. */
export const guestStatus = apiObject(() => ({
  vmid: integer,
  name: text.optional(),
  /** `running` or `stopped`; `qmpstatus` of a VM also has `paused` and the rest. */
  status: z.string(),
  template: flag.optional(),
  lock: z.string().optional(),
  uptime: number.optional(),
  /** No state: HA has the guest in its configuration and has not processed it yet. */
  ha: z.looseObject({ managed: flag.optional(), state: z.string().nullish() }).optional(),
}));

const current = z.lazy(() => guestStatus.unwrap().extend({ qmpstatus: z.string().optional(), agent: flag.optional() }));

/**
 * A guest's configuration: the options that this layer itself reads, and every option as PVE's text (numbers and flags
 * included).
 */
export interface GuestConfig {
  /** Changes with any edit. If a write includes it, PVE refuses to overwrite a concurrent change. */
  readonly digest: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly lock: string | undefined;
  readonly isTemplate: boolean;
  readonly tags: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Every configuration has a digest, so a response without one is not a configuration (qemu-server:
 * src/PVE/QemuServer.pm, `parse_vm_config`).
 */
export const guestConfig = (nameOption: "name" | "hostname") =>
  z
    .record(z.string(), z.union([text, flag.transform((on) => (on ? "1" : "0"))]))
    .refine((options) => options["digest"] !== undefined, { path: ["digest"], error: "is missing" })
    .transform(
      ({ digest = "", ...options }): GuestConfig => ({
        digest,
        name: options[nameOption],
        description: options["description"],
        lock: options["lock"],
        isTemplate: options["template"] === "1",
        tags: words.parse(options["tags"] ?? ""),
        options,
      }),
    );

export const vmConfig = guestConfig("name");

/** One option of a guest with a change that takes effect at the next start. `delete`: 1 without its volume, 2 with it. */
export const pendingOption = apiObject(() => ({
  key: z.string(),
  value: text.optional(),
  pending: text.optional(),
  delete: integer.optional(),
}));

export const feature = apiObject(() => ({ hasFeature: flag, nodes: z.array(z.string()).optional() }));

export type ListedVm = z.infer<typeof listedGuest>;
export type VmStatus = z.infer<typeof current>;
export type PendingOption = z.infer<typeof pendingOption>;

/** A clone cannot set hardware: that takes a configuration call afterwards. */
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

/** Only the two parts of an address: callers pass larger objects, and PVE refuses unknown parameters. */
export function at({ node, vmid }: GuestAddress): GuestAddress & Parameters {
  return { node, vmid };
}

/** `/nodes/{node}/qemu` (qemu-server: src/PVE/API2/Qemu.pm). Calls that start a task return its id. */
export function qemuCalls(api: Api) {
  return {
    /**
     * Live: current names, status and template flag. VMs that the caller may not audit are missing without an error.
     */
    list: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu", { node }, unordered(listedGuest, "vmid"), options),

    create: (node: string, vm: Parameters & { readonly vmid: number }, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu", { ...vm, node }, upid, options),

    clone: (source: GuestAddress, request: CloneRequest, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu/{vmid}/clone", { ...request, ...at(source) }, upid, options),

    /** Volumes that the config does not name stay unless `destroy-unreferenced-disks` is given. */
    remove: (
      vm: GuestAddress,
      request: { readonly purge?: boolean; readonly "destroy-unreferenced-disks"?: boolean } = {},
      options?: CallOptions,
    ) => api.delete("/nodes/{node}/qemu/{vmid}", { ...request, ...at(vm) }, upid, options),

    /** As it will be after the next start; `current` shows what runs now. */
    getConfig: (
      vm: GuestAddress,
      view: { readonly current?: boolean; readonly snapshot?: string } = {},
      options?: CallOptions,
    ) => api.get("/nodes/{node}/qemu/{vmid}/config", { ...view, ...at(vm) }, vmConfig, options),

    findConfig: (vm: GuestAddress, options?: CallOptions) =>
      orNull(api.get("/nodes/{node}/qemu/{vmid}/config", at(vm), vmConfig, options)),

    /** Done when it returns; no task. Changes that cannot be made live wait in `pending`. */
    updateConfig: (vm: GuestAddress, change: ConfigChange, options?: CallOptions) =>
      api.put("/nodes/{node}/qemu/{vmid}/config", { ...change, ...at(vm) }, nothing, options),

    /** The same as a task: for changes that allocate or import volumes, which may take longer than a request. */
    startConfigUpdate: (vm: GuestAddress, change: ConfigChange, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu/{vmid}/config", { ...change, ...at(vm) }, upid.nullable(), options),

    listPending: (vm: GuestAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu/{vmid}/pending", at(vm), unordered(pendingOption, "key"), options),

    /** Changes that are not on the cloud-init drive yet. */
    listCloudInit: (vm: GuestAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu/{vmid}/cloudinit", at(vm), unordered(pendingOption, "key"), options),

    regenerateCloudInit: (vm: GuestAddress, options?: CallOptions) =>
      api.put("/nodes/{node}/qemu/{vmid}/cloudinit", at(vm), nothing, options),

    makeTemplate: (vm: GuestAddress, options?: CallOptions) =>
      api.post("/nodes/{node}/qemu/{vmid}/template", at(vm), upid, options),

    hasFeature: (
      vm: GuestAddress,
      request: { readonly feature: "snapshot" | "clone" | "copy"; readonly snapname?: string },
      options?: CallOptions,
    ) => api.get("/nodes/{node}/qemu/{vmid}/feature", { ...request, ...at(vm) }, feature, options),

    getStatus: (vm: GuestAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu/{vmid}/status/current", at(vm), current, options),
  };
}

export type QemuCalls = ReturnType<typeof qemuCalls>;
