import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { at, type GuestAddress } from "./qemu.ts";
import { snapshot } from "./qemu-snapshots.ts";
import { upid } from "./wire.ts";

/** `/nodes/{node}/lxc/{vmid}/snapshot` (pve-container: src/PVE/API2/LXC/Snapshot.pm). */
export function containerSnapshotCalls(api: Api) {
  return {
    list: async (container: GuestAddress, options?: CallOptions) => {
      const all = await api.get("/nodes/{node}/lxc/{vmid}/snapshot", at(container), z.array(snapshot), options);
      return all.filter(({ name }) => name !== "current"); // PVE's "You are here!"
    },

    create: (
      container: GuestAddress,
      request: { readonly snapname: string; readonly description?: string },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/lxc/{vmid}/snapshot", { ...request, ...at(container) }, upid, options),

    rollback: (
      container: GuestAddress,
      snapname: string,
      request: { readonly start?: boolean } = {},
      options?: CallOptions,
    ) =>
      api.post(
        "/nodes/{node}/lxc/{vmid}/snapshot/{snapname}/rollback",
        { ...request, ...at(container), snapname },
        upid,
        options,
      ),
  };
}

export type ContainerSnapshotCalls = ReturnType<typeof containerSnapshotCalls>;
