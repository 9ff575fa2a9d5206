import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { apiObject, upid } from "./wire.ts";

/** An appliance that Proxmox offers as a container template. */
const appliance = apiObject(() => ({
  template: z.string(),
  package: z.string(),
  version: z.string().optional(),
  os: z.string().optional(),
  section: z.string().optional(),
  architecture: z.string().optional(),
  headline: z.string().optional(),
}));

export type Appliance = z.infer<typeof appliance>;

/** Container templates (pve-manager: PVE/API2/Nodes.pm; pve-storage: src/PVE/API2/Storage/Status.pm). */
export function templateCalls(api: Api) {
  return {
    /** As old as the node's last `pveam update`. */
    list: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/aplinfo", { node }, z.array(appliance), options),

    download: (node: string, request: { readonly storage: string; readonly template: string }, options?: CallOptions) =>
      api.post("/nodes/{node}/aplinfo", { ...request, node }, upid, options),

    /** Pulls an OCI image from a registry. PVE adds `.tar` to the file name, and never overwrites. */
    pull: (
      node: string,
      storage: string,
      request: { readonly reference: string; readonly filename: string },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/storage/{storage}/oci-registry-pull", { ...request, node, storage }, upid, options),
  };
}

export type TemplateCalls = ReturnType<typeof templateCalls>;
