import type { Api, CallOptions } from "./api.ts";
import { at, type GuestAddress } from "./qemu.ts";
import type { Parameters } from "./transport/call.ts";
import { upid } from "./wire.ts";

/**
 * `/nodes/{node}/qemu/{vmid}/status` (qemu-server: src/PVE/API2/Qemu.pm). For a VM under HA the task ends as soon as
 * the request is queued: read the status afterwards.
 */
export function powerCalls(api: Api) {
  const act =
    <P extends Parameters>(path: PowerPath) =>
    (vm: GuestAddress, request?: P, options?: CallOptions) =>
      api.post(path, { ...request, ...at(vm) }, upid, options);
  return {
    /** Fails as a task when the VM already runs. */
    start: act<{ readonly timeout?: number }>("/nodes/{node}/qemu/{vmid}/status/start"),
    /** Powers off at once; has no effect on a stopped VM. */
    stop: act<{ readonly timeout?: number; readonly "overrule-shutdown"?: boolean }>(
      "/nodes/{node}/qemu/{vmid}/status/stop",
    ),
    /** Asks the guest to shut down, and holds the VM's lock until it does or `timeout` seconds have passed. */
    shutdown: act<{ readonly timeout?: number; readonly forceStop?: boolean }>(
      "/nodes/{node}/qemu/{vmid}/status/shutdown",
    ),
    /** Ends when the VM is down; it starts again a moment later. Applies pending changes. */
    reboot: act<{ readonly timeout?: number }>("/nodes/{node}/qemu/{vmid}/status/reboot"),
    reset: act("/nodes/{node}/qemu/{vmid}/status/reset"),
    suspend: act<{ readonly todisk?: boolean; readonly statestorage?: string }>(
      "/nodes/{node}/qemu/{vmid}/status/suspend",
    ),
    resume: act<{ readonly nocheck?: boolean }>("/nodes/{node}/qemu/{vmid}/status/resume"),
  };
}

type PowerPath =
  `/nodes/{node}/qemu/{vmid}/status/${"start" | "stop" | "shutdown" | "reboot" | "reset" | "suspend" | "resume"}`;

export type PowerCalls = ReturnType<typeof powerCalls>;
