import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { at, type GuestAddress } from "./qemu.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, flag, number, upid } from "./wire.ts";

const migrationCheck = apiObject(() => ({
  running: flag,
  allowed_nodes: z.array(z.string()).optional(),
  not_allowed_nodes: z.unknown().optional(),
  local_disks: z.array(z.looseObject({ volid: z.string().optional(), size: number.optional() })).optional(),
  local_resources: z.array(z.string()).optional(),
}));

export type MigrationCheck = z.infer<typeof migrationCheck>;

/** `/nodes/{node}/qemu/{vmid}/migrate` (qemu-server: src/PVE/API2/Qemu.pm). */
export function migrationCalls(api: Api) {
  return {
    check: (vm: GuestAddress, target?: string, options?: CallOptions) =>
      api.get("/nodes/{node}/qemu/{vmid}/migrate", { target, ...at(vm) }, migrationCheck, options),

    migrate: (
      vm: GuestAddress,
      request: Parameters & {
        readonly target: string;
        readonly online?: boolean;
        readonly "with-local-disks"?: boolean;
        readonly targetstorage?: string | undefined;
      },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/qemu/{vmid}/migrate", { ...request, ...at(vm) }, upid, options),
  };
}

export type MigrationCalls = ReturnType<typeof migrationCalls>;
