import type { Api, CallOptions } from "./api.ts";
import { at, type GuestAddress } from "./qemu.ts";
import { snapshot } from "./qemu-snapshots.ts";
import { nothing, unordered, upid } from "./wire.ts";

/** `/nodes/{node}/lxc/{vmid}/snapshot` (pve-container: src/PVE/API2/LXC/Snapshot.pm). */
export function containerSnapshotCalls(api: Api) {
  return {
    list: async (container: GuestAddress, options?: CallOptions) => {
      const all = await api.get(
        "/nodes/{node}/lxc/{vmid}/snapshot",
        at(container),
        unordered(snapshot, "snaptime", "name"),
        options,
      );
      return all.filter(({ name }) => name !== "current"); // PVE's "You are here!"
    },

    create: (
      container: GuestAddress,
      request: { readonly snapname: string; readonly description?: string },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/lxc/{vmid}/snapshot", { ...request, ...at(container) }, upid, options),

    remove: (container: GuestAddress, snapname: string, options?: CallOptions) =>
      api.delete("/nodes/{node}/lxc/{vmid}/snapshot/{snapname}", { ...at(container), snapname }, upid, options),

    removeRest: (container: GuestAddress, snapname: string, options?: CallOptions) =>
      api.delete(
        "/nodes/{node}/lxc/{vmid}/snapshot/{snapname}",
        { ...at(container), snapname, force: true },
        upid,
        options,
      ),

    /** The description is all that can be changed. */
    describe: (container: GuestAddress, snapname: string, description: string, options?: CallOptions) =>
      api.put(
        "/nodes/{node}/lxc/{vmid}/snapshot/{snapname}/config",
        { description, ...at(container), snapname },
        nothing,
        { ...options, isRepeatable: true },
      ),

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
