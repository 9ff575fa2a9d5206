import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import {
  at,
  type ConfigChange,
  feature,
  type GuestAddress,
  guestConfig,
  guestStatus,
  listedGuest,
  pendingOption,
} from "./qemu.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, nothing, unordered, upid } from "./wire.ts";

/** Raw lines of the runtime (`lxc.…`) cannot be written through the API, and are the only option that is a list. */
export const containerConfig = z
  .record(z.string(), z.unknown())
  .transform(({ lxc: _, ...options }) => options)
  .pipe(guestConfig("hostname"));

/** As the tools in the container show it. The new names are there since PVE 9. */
const networkInterface = apiObject(() => ({
  name: z.string(),
  hwaddr: z.string().optional(),
  inet: z.string().optional(),
  inet6: z.string().optional(),
  "hardware-address": z.string().optional(),
  "ip-addresses": z.array(z.looseObject({ "ip-address": z.string() })).optional(),
}));

export type ListedContainer = z.infer<typeof listedGuest>;
export type ContainerStatus = z.infer<typeof guestStatus>;
export type ContainerInterface = z.infer<typeof networkInterface>;

export type ContainerCreateRequest = Parameters & {
  readonly vmid: number;
  /** A template, or with `restore` a backup. */
  readonly ostemplate: string;
};

export type ContainerCloneRequest = Parameters & {
  readonly newid: number;
  readonly hostname?: string;
  readonly description?: string;
  readonly pool?: string;
  readonly full?: boolean;
  readonly storage?: string;
  readonly snapname?: string;
  readonly target?: string;
  /** KiB/s. */
  readonly bwlimit?: number;
};

/** `/nodes/{node}/lxc` (pve-container: src/PVE/API2/LXC.pm). Calls that start a task return its id. */
export function lxcCalls(api: Api) {
  return {
    /** Read from the node itself, as the list of its VMs is. */
    list: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/lxc", { node }, unordered(listedGuest, "vmid"), options),

    create: (node: string, container: ContainerCreateRequest, options?: CallOptions) =>
      api.post("/nodes/{node}/lxc", { ...container, node }, upid, options),

    /** The source is locked meanwhile: another clone of it is refused. */
    clone: (source: GuestAddress, request: ContainerCloneRequest, options?: CallOptions) =>
      api.post("/nodes/{node}/lxc/{vmid}/clone", { ...request, ...at(source) }, upid, options),

    remove: (
      container: GuestAddress,
      request: {
        readonly purge?: boolean;
        readonly force?: boolean;
        readonly "destroy-unreferenced-disks"?: boolean;
      } = {},
      options?: CallOptions,
    ) => api.delete("/nodes/{node}/lxc/{vmid}", { ...request, ...at(container) }, upid, options),

    /** As it will be after the next start; `current` shows what runs now. */
    getConfig: (
      container: GuestAddress,
      view: { readonly current?: boolean; readonly snapshot?: string } = {},
      options?: CallOptions,
    ) => api.get("/nodes/{node}/lxc/{vmid}/config", { ...view, ...at(container) }, containerConfig, options),

    findConfig: (container: GuestAddress, options?: CallOptions) =>
      orNull(api.get("/nodes/{node}/lxc/{vmid}/config", at(container), containerConfig, options)),

    /** Done when it returns; no task, even if a volume is allocated. */
    updateConfig: (container: GuestAddress, change: Omit<ConfigChange, "force">, options?: CallOptions) =>
      api.put("/nodes/{node}/lxc/{vmid}/config", { ...change, ...at(container) }, nothing, options),

    listPending: (container: GuestAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/lxc/{vmid}/pending", at(container), unordered(pendingOption, "key"), options),

    /** `size` is absolute (`100G`) or relative (`+10G`). The present size is refused. */
    resize: (
      container: GuestAddress,
      request: { readonly disk: string; readonly size: string; readonly digest?: string },
      options?: CallOptions,
    ) => api.put("/nodes/{node}/lxc/{vmid}/resize", { ...request, ...at(container) }, upid, options),

    /** Only while it is stopped. Without `delete` the old volume stays as an unused one. */
    moveVolume: (
      container: GuestAddress,
      request: Parameters & { readonly volume: string; readonly storage?: string; readonly delete?: boolean },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/lxc/{vmid}/move_volume", { ...request, ...at(container) }, upid, options),

    /** Starts a task and does not return its id. */
    makeTemplate: (container: GuestAddress, options?: CallOptions) =>
      api.post("/nodes/{node}/lxc/{vmid}/template", at(container), nothing, options),

    /** A running container is moved by a restart; there is no live migration. */
    migrate: (
      container: GuestAddress,
      request: Parameters & { readonly target: string; readonly restart?: boolean; readonly timeout?: number },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/lxc/{vmid}/migrate", { ...request, ...at(container) }, upid, options),

    /** Null: it does not run. */
    listInterfaces: (container: GuestAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/lxc/{vmid}/interfaces", at(container), z.array(networkInterface).nullable(), options),

    hasFeature: (
      container: GuestAddress,
      request: { readonly feature: "snapshot" | "clone" | "copy"; readonly snapname?: string },
      options?: CallOptions,
    ) => api.get("/nodes/{node}/lxc/{vmid}/feature", { ...request, ...at(container) }, feature, options),

    getStatus: (container: GuestAddress, options?: CallOptions) =>
      api.get("/nodes/{node}/lxc/{vmid}/status/current", at(container), guestStatus, options),
  };
}

export type LxcCalls = ReturnType<typeof lxcCalls>;
