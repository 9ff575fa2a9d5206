import type { Api, CallOptions } from "./api.ts";
import { at, type GuestAddress } from "./qemu.ts";
import type { Parameters } from "./transport/call.ts";
import { upid } from "./wire.ts";

/**
 * `/nodes/{node}/lxc/{vmid}/status` (pve-container: src/PVE/API2/LXC/Status.pm). Unlike with VMs, starting a running
 * container and stopping a stopped one are refused.
 */
export function containerPowerCalls(api: Api) {
  const act =
    <P extends Parameters>(path: PowerPath) =>
    (container: GuestAddress, request?: P, options?: CallOptions) =>
      api.post(path, { ...request, ...at(container) }, upid, options);
  return {
    start: act<{ readonly debug?: boolean }>("/nodes/{node}/lxc/{vmid}/status/start"),
    stop: act<{ readonly "overrule-shutdown"?: boolean }>("/nodes/{node}/lxc/{vmid}/status/stop"),
    shutdown: act<{ readonly timeout?: number; readonly forceStop?: boolean }>(
      "/nodes/{node}/lxc/{vmid}/status/shutdown",
    ),
    reboot: act<{ readonly timeout?: number }>("/nodes/{node}/lxc/{vmid}/status/reboot"),
    /** Experimental: it needs CRIU on the node. */
    suspend: act("/nodes/{node}/lxc/{vmid}/status/suspend"),
    resume: act("/nodes/{node}/lxc/{vmid}/status/resume"),
  };
}

type PowerPath = `/nodes/{node}/lxc/{vmid}/status/${"start" | "stop" | "shutdown" | "reboot" | "suspend" | "resume"}`;

export type ContainerPowerCalls = ReturnType<typeof containerPowerCalls>;
