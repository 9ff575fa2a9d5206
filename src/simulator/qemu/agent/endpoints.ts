import type { Privilege } from "../../core/access/privileges.ts";
import { type Endpoint, endpoint } from "../../core/kernel/endpoint.ts";
import { indexEndpoint } from "../../core/kernel/index-endpoint.ts";
import type { Process } from "../../core/kernel/process.ts";
import { array, boolean, integer, string } from "../../core/schema/schema.ts";
import { node, vmid } from "../../core/schema/standard-options.ts";
import { beginShutdown } from "../power/run-state.ts";
import { getVm } from "../vm.ts";
import { agentAnswers } from "./answers.ts";
import { requireAgent } from "./guest-agent.ts";
import { execute, processStatus, readGuestFile, setPassword, writeGuestFile } from "./inside.ts";

// qemu-server `src/PVE/API2/Qemu/Agent.pm`.

const commands: Readonly<Record<string, { method: "GET" | "POST"; privileges: readonly Privilege[] }>> = {
  ping: { method: "POST", privileges: ["VM.GuestAgent.Audit"] },
  "get-time": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  info: { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "fsfreeze-status": { method: "POST", privileges: ["VM.GuestAgent.Audit", "VM.GuestAgent.FileSystemMgmt"] },
  "fsfreeze-freeze": { method: "POST", privileges: ["VM.GuestAgent.FileSystemMgmt"] },
  "fsfreeze-thaw": { method: "POST", privileges: ["VM.GuestAgent.FileSystemMgmt"] },
  fstrim: { method: "POST", privileges: ["VM.GuestAgent.FileSystemMgmt"] },
  "network-get-interfaces": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "get-vcpus": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "get-fsinfo": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "get-memory-blocks": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "get-memory-block-info": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "suspend-hybrid": { method: "POST", privileges: ["VM.PowerMgmt"] },
  "suspend-ram": { method: "POST", privileges: ["VM.PowerMgmt"] },
  "suspend-disk": { method: "POST", privileges: ["VM.PowerMgmt"] },
  shutdown: { method: "POST", privileges: ["VM.PowerMgmt"] },
  "get-host-name": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "get-osinfo": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "get-users": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
  "get-timezone": { method: "GET", privileges: ["VM.GuestAgent.Audit"] },
};

const commandNames = Object.keys(commands).sort();

async function ask(process: Process, id: number, command: string): Promise<{ result: unknown }> {
  const guest = getVm(process, id);
  await requireAgent(process, guest);
  if (command === "shutdown") {
    beginShutdown(process.sim, guest);
  }
  return { result: agentAnswers[command]?.(guest, process) ?? {} };
}

const path = "/nodes/{node}/qemu/{vmid}/agent";
const onVm = { protected: true, proxyTo: "node" } as const;
const allowed = (...privileges: Privilege[]) =>
  ({ check: ["perm", "/vms/{vmid}", privileges, { any: true }] }) as const;
const unrestricted = { check: ["perm", "/vms/{vmid}", ["VM.GuestAgent.Unrestricted"]] } as const;

const simpleCommands: readonly Endpoint[] = commandNames.map((command) =>
  endpoint({
    method: commands[command]?.method ?? "POST",
    path: `${path}/${command}`,
    ...onVm,
    permissions: allowed(...(commands[command]?.privileges ?? []), "VM.GuestAgent.Unrestricted"),
    parameters: { node, vmid },
    handler: (call) => ask(call, call.params.vmid, command),
  }),
);

const KiB = 1024;
const maxReadBytes = 16 * KiB * KiB;

/** Commands with parameters; their results come from the guest's files and programs. */
const otherCommands: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: `${path}/exec`,
    ...onVm,
    permissions: unrestricted,
    parameters: {
      node,
      vmid,
      command: array(string()),
      "input-data": string({ optional: true, maxLength: 64 * KiB }),
    },
    handler: async (call) => {
      const guest = getVm(call, call.params.vmid);
      await requireAgent(call, guest);
      return { pid: execute(call.sim, guest, call.params.command, call.params["input-data"]) };
    },
  }),
  endpoint({
    method: "GET",
    path: `${path}/exec-status`,
    ...onVm,
    permissions: unrestricted,
    parameters: { node, vmid, pid: integer() },
    handler: async (call) => {
      const guest = getVm(call, call.params.vmid);
      await requireAgent(call, guest);
      return processStatus(call.sim, guest, call.params.pid);
    },
  }),
  endpoint({
    method: "POST",
    path: `${path}/set-user-password`,
    ...onVm,
    permissions: unrestricted,
    parameters: {
      node,
      vmid,
      username: string(),
      password: string({ minLength: 5, maxLength: 1024 }),
      crypted: boolean({ optional: true, default: 0 }),
    },
    handler: async (call) => {
      const { vmid: id, username, password } = call.params;
      const guest = getVm(call, id);
      await requireAgent(call, guest);
      setPassword(guest, username, password);
      return { result: {} };
    },
  }),
  endpoint({
    method: "GET",
    path: `${path}/file-read`,
    ...onVm,
    permissions: allowed("VM.GuestAgent.FileRead", "VM.GuestAgent.Unrestricted"),
    parameters: {
      node,
      vmid,
      file: string(),
      count: integer({ optional: true, minimum: 1, maximum: maxReadBytes, default: maxReadBytes }),
      decode: boolean({ optional: true, default: 1 }),
      offset: integer({ optional: true, minimum: 0, default: 0 }),
    },
    handler: async (call) => {
      const { vmid: id, file, count = maxReadBytes, offset = 0, decode } = call.params;
      const guest = getVm(call, id);
      await requireAgent(call, guest);
      const { bytes, isTruncated } = readGuestFile(guest, file, offset, count);
      return {
        content: bytes.toString(decode === 0 ? "base64" : "latin1"),
        "bytes-read": bytes.length,
        ...(isTruncated && { truncated: 1 }),
      };
    },
  }),
  endpoint({
    method: "POST",
    path: `${path}/file-write`,
    ...onVm,
    permissions: allowed("VM.GuestAgent.FileWrite", "VM.GuestAgent.Unrestricted"),
    parameters: {
      node,
      vmid,
      file: string(),
      content: string({ maxLength: 60 * KiB }),
      encode: boolean({ optional: true, default: 1 }),
    },
    handler: async (call) => {
      const { vmid: id, file, content, encode } = call.params;
      const guest = getVm(call, id);
      await requireAgent(call, guest);
      writeGuestFile(guest, file, content, encode !== 0);
      return null;
    },
  }),
];

export const agentEndpoints: readonly Endpoint[] = [
  indexEndpoint(
    path,
    "name",
    [...commandNames, "exec", "exec-status", "file-read", "file-write", "set-user-password"].sort(),
    { proxyTo: "node", parameters: { node, vmid } },
  ),
  endpoint({
    method: "POST",
    path,
    ...onVm,
    permissions: {
      check: ["perm", "/vms/{vmid}", ["VM.GuestAgent.Unrestricted", "VM.GuestAgent.Unrestricted"], { any: true }],
    },
    parameters: { node, vmid, command: string({ enum: commandNames }) },
    handler: (call) => ask(call, call.params.vmid, call.params.command),
  }),
  ...simpleCommands,
  ...otherCommands,
];
