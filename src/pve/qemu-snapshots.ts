import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { at, type GuestAddress } from "./qemu.ts";
import { apiObject, flag, integer, nothing, unordered, upid } from "./wire.ts";

export const snapshot = apiObject(() => ({
  name: z.string(),
  description: z.string().optional(),
  parent: z.string().optional(),
  snaptime: integer.optional(),
  vmstate: flag.optional(),
}));

export type Snapshot = z.infer<typeof snapshot>;

/** `/nodes/{node}/qemu/{vmid}/snapshot` (pve-guest-common: src/PVE/AbstractConfig.pm). */
export function snapshotCalls(api: Api) {
  return {
    list: async (vm: GuestAddress, options?: CallOptions) => {
      const all = await api.get(
        "/nodes/{node}/qemu/{vmid}/snapshot",
        at(vm),
        unordered(snapshot, "snaptime", "name"),
        options,
      );
      return all.filter(({ name }) => name !== "current"); // PVE's "You are here!"
    },

    create: (
      vm: GuestAddress,
      request: { readonly snapname: string; readonly description?: string; readonly vmstate?: boolean },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/qemu/{vmid}/snapshot", { ...request, ...at(vm) }, upid, options),

    remove: (vm: GuestAddress, snapname: string, options?: CallOptions) =>
      api.delete("/nodes/{node}/qemu/{vmid}/snapshot/{snapname}", { ...at(vm), snapname }, upid, options),

    /** Of one that is not complete: volumes may lack theirs. */
    removeRest: (vm: GuestAddress, snapname: string, options?: CallOptions) =>
      api.delete("/nodes/{node}/qemu/{vmid}/snapshot/{snapname}", { ...at(vm), snapname, force: true }, upid, options),

    /** The description is all that can be changed. */
    describe: (vm: GuestAddress, snapname: string, description: string, options?: CallOptions) =>
      api.put("/nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config", { description, ...at(vm), snapname }, nothing, {
        ...options,
        isRepeatable: true,
      }),

    rollback: (vm: GuestAddress, snapname: string, request: { readonly start?: boolean } = {}, options?: CallOptions) =>
      api.post(
        "/nodes/{node}/qemu/{vmid}/snapshot/{snapname}/rollback",
        { ...request, ...at(vm), snapname },
        upid,
        options,
      ),
  };
}

export type SnapshotCalls = ReturnType<typeof snapshotCalls>;
