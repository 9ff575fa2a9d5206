import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters, Upload } from "./transport/call.ts";
import { apiObject, flag, integer, nothing, number, text, unordered, unorderedWords, upid } from "./wire.ts";

const definition = apiObject(() => ({
  storage: z.string(),
  type: z.string(),
  content: unorderedWords.optional(),
  nodes: unorderedWords.optional(),
  disable: flag.optional(),
  shared: flag.optional(),
  digest: z.string().optional(),
}));

const status = apiObject(() => ({
  storage: z.string(),
  type: z.string(),
  content: unorderedWords,
  active: flag.optional(),
  enabled: flag.optional(),
  shared: flag.optional(),
  total: number.optional(),
  used: number.optional(),
  avail: number.optional(),
  /** With `format`: which image formats it can allocate. */
  formats: z.looseObject({ supported: z.array(z.string()), default: z.string().optional() }).optional(),
}));

const volume = apiObject(() => ({
  volid: z.string(),
  format: z.string().optional(),
  content: z.string().optional(),
  /** Missing on some storages, where PVE 9 gives `approximate-size`. */
  size: number.optional(),
  "approximate-size": number.optional(),
  vmid: integer.optional(),
  parent: z.string().nullish(),
  ctime: integer.optional(),
  protected: flag.optional(),
  notes: z.string().optional(),
}));

const volumeFacts = apiObject(() => ({ size: number, format: z.string().optional() }));

/** Of a VM in a file or on another host. Devices that have no source are plain numbers. */
const importMetadata = apiObject(() => ({
  type: z.string(),
  "create-args": z.record(z.string(), text).optional(),
  disks: z
    .record(z.string(), z.union([z.looseObject({ volid: z.string().optional(), size: number.optional() }), text]))
    .optional(),
  net: z.record(z.string(), z.looseObject({ model: z.string().optional(), macaddr: z.string().optional() })).optional(),
  warnings: z.array(z.looseObject({ type: z.string(), key: text.optional(), value: text.optional() })).optional(),
}));

export type StorageDefinition = z.infer<typeof definition>;
export type StorageStatus = z.infer<typeof status>;
export type Volume = z.infer<typeof volume>;

export type DownloadRequest = Parameters & {
  readonly url: string;
  readonly content: "iso" | "vztmpl" | "import";
  readonly filename: string;
  readonly checksum?: string;
  readonly "checksum-algorithm"?: string;
  readonly compression?: string;
  readonly "verify-certificates"?: boolean;
};

/** `/storage` and `/nodes/{node}/storage` (pve-storage: src/PVE/API2/Storage/*.pm). */
export function storageCalls(api: Api) {
  return {
    list: (options?: CallOptions) => api.get("/storage", {}, unordered(definition, "storage"), options),
    get: (storage: string, options?: CallOptions) => api.get("/storage/{storage}", { storage }, definition, options),
    find: (storage: string, options?: CallOptions) =>
      orNull(api.get("/storage/{storage}", { storage }, definition, options)),
    create: (storage: Parameters & { readonly storage: string; readonly type: string }, options?: CallOptions) =>
      api.post("/storage", storage, nothing, options),
    update: (storage: string, change: Parameters, options?: CallOptions) =>
      api.put("/storage/{storage}", { ...change, storage }, nothing, options),
    remove: (storage: string, options?: CallOptions) => api.delete("/storage/{storage}", { storage }, nothing, options),

    /** What the node can use at the moment, with the free space. */
    listOnNode: (
      node: string,
      filter: {
        readonly content?: string;
        readonly storage?: string;
        readonly target?: string;
        readonly format?: boolean;
      } = {},
      options?: CallOptions,
    ) => api.get("/nodes/{node}/storage", { ...filter, node }, unordered(status, "storage"), options),

    listVolumes: (
      node: string,
      storage: string,
      filter: { readonly content?: string; readonly vmid?: number } = {},
      options?: CallOptions,
    ) => api.get("/nodes/{node}/storage/{storage}/content", { ...filter, node, storage }, z.array(volume), options),

    /** One volume as the storage's tools see it: for an image, the size is that of the disk in it. */
    getVolume: (node: string, storage: string, volume: string, options?: CallOptions) =>
      api.get("/nodes/{node}/storage/{storage}/content/{volume}", { node, storage, volume }, volumeFacts, options),

    /** What an importer finds out; `volume` is without the storage. */
    getImportMetadata: (node: string, storage: string, volume: string, options?: CallOptions) =>
      api.get("/nodes/{node}/storage/{storage}/import-metadata", { node, storage, volume }, importMetadata, options),

    /** Allocates an image; returns its volume id. */
    createVolume: (
      node: string,
      storage: string,
      image: Parameters & { readonly vmid: number; readonly filename: string; readonly size: string },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/storage/{storage}/content", { ...image, node, storage }, z.string(), options),

    removeVolume: (node: string, storage: string, volume: string, options?: CallOptions) =>
      api.delete(
        "/nodes/{node}/storage/{storage}/content/{volume}",
        { node, storage, volume },
        upid.nullable(),
        options,
      ),

    /** An existing file of that name is overwritten without a warning. Snippets cannot be uploaded. */
    upload: (
      node: string,
      storage: string,
      request: Parameters & { readonly content: "iso" | "vztmpl" | "import" },
      upload: Upload,
      options?: CallOptions,
    ) =>
      api.post("/nodes/{node}/storage/{storage}/upload", { ...request, node, storage }, upid, { ...options, upload }),

    download: (node: string, storage: string, request: DownloadRequest, options?: CallOptions) =>
      api.post("/nodes/{node}/storage/{storage}/download-url", { ...request, node, storage }, upid, options),
  };
}

export type StorageCalls = ReturnType<typeof storageCalls>;
