import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { apiObject, flag, integer, number, unordered } from "./wire.ts";

const listed = apiObject(() => ({
  node: z.string(),
  status: z.string(),
  ssl_fingerprint: z.string().optional(),
  maxcpu: number.optional(),
  maxmem: number.optional(),
}));

const status = apiObject(() => ({
  pveversion: z.string().optional(),
  uptime: number.optional(),
  memory: z.looseObject({ total: number, used: number, free: number }).optional(),
  cpuinfo: z
    .looseObject({
      cpus: integer,
      sockets: integer.optional(),
      cores: integer.optional(),
      model: z.string().optional(),
    })
    .optional(),
}));

const pciDevice = apiObject(() => ({
  id: z.string(),
  vendor: z.string().optional(),
  device: z.string().optional(),
  iommugroup: integer.optional(),
  mdev: flag.optional(),
}));

const usbDevice = apiObject(() => ({ vendid: z.string(), prodid: z.string(), product: z.string().optional() }));

const cpuModel = apiObject(() => ({ name: z.string(), vendor: z.string().optional(), custom: flag.optional() }));

const cpuFlag = apiObject(() => ({ name: z.string() }));

const machineType = apiObject(() => ({ id: z.string(), type: z.string().optional(), version: z.string().optional() }));

export type ListedNode = z.infer<typeof listed>;
export type NodeStatus = z.infer<typeof status>;

/** `/nodes` (pve-manager: PVE/API2/Nodes.pm). */
export function nodeCalls(api: Api) {
  return {
    list: (options?: CallOptions) => api.get("/nodes", {}, unordered(listed, "node"), options),
    getStatus: (node: string, options?: CallOptions) => api.get("/nodes/{node}/status", { node }, status, options),
    listPciDevices: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/hardware/pci", { node }, z.array(pciDevice), options),
    listUsbDevices: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/hardware/usb", { node }, z.array(usbDevice), options),
    listCpuModels: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/capabilities/qemu/cpu", { node }, z.array(cpuModel), options),
    /** Flags that a VM may set on its own. */
    listCpuFlags: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/capabilities/qemu/cpu-flags", { node }, z.array(cpuFlag), options),
    listMachineTypes: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/capabilities/qemu/machines", { node }, z.array(machineType), options),
  };
}

export type NodeCalls = ReturnType<typeof nodeCalls>;
