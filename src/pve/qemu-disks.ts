import type { Api, CallOptions } from "./api.ts";
import { at, type GuestAddress } from "./qemu.ts";
import type { Parameters } from "./transport/call.ts";
import { nothing, upid } from "./wire.ts";

/** Volumes of a VM: `resize`, `move_disk` and `unlink` of qemu-server's src/PVE/API2/Qemu.pm. */
export function diskCalls(api: Api) {
  return {
    /** `size` is absolute (`100G`) or relative (`+10G`); disks only grow. */
    resize: (
      vm: GuestAddress,
      request: { readonly disk: string; readonly size: string; readonly digest?: string },
      options?: CallOptions,
    ) => api.put("/nodes/{node}/qemu/{vmid}/resize", { ...request, ...at(vm) }, upid, options),

    /** Without `delete` the old volume stays as an unused one. */
    moveDisk: (
      vm: GuestAddress,
      request: Parameters & { readonly disk: string; readonly storage?: string; readonly delete?: boolean },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/qemu/{vmid}/move_disk", { ...request, ...at(vm) }, upid, options),

    /** `force` destroys the volumes; without it they stay as unused ones. */
    unlink: (
      vm: GuestAddress,
      request: { readonly idlist: readonly string[]; readonly force?: boolean },
      options?: CallOptions,
    ) => api.put("/nodes/{node}/qemu/{vmid}/unlink", { ...request, ...at(vm) }, nothing, options),
  };
}

export type DiskCalls = ReturnType<typeof diskCalls>;
