import type { MissingPrivilege } from "./errors.ts";
import type { Call } from "./transport/call.ts";

/**
 * The privileges that a call requires where PVE does not name them: checks combined with "or" answer a bare `Permission
 * check failed` (pve-access-control: src/PVE/RPCEnvironment.pm; the calls: qemu-server src/PVE/API2/Qemu.pm,
 * pve-access-control src/PVE/API2/User.pm).
 */
export function requiredPrivilege({ method, template, path, parameters }: Call): MissingPrivilege | undefined {
  const pool = parameters["pool"] === undefined ? [] : [`/pool/${String(parameters["pool"])}`];
  switch (`${method} ${template}`) {
    case "POST /nodes/{node}/qemu":
      return { paths: [`/vms/${String(parameters["vmid"])}`, ...pool], privileges: ["VM.Allocate"] };
    case "POST /nodes/{node}/qemu/{vmid}/clone":
      return { paths: [`/vms/${String(parameters["newid"])}`, ...pool], privileges: ["VM.Allocate"] };
    case "POST /nodes/{node}/storage/{storage}/download-url":
      return { paths: [`/nodes/${path.split("/")[2] ?? ""}`], privileges: ["Sys.AccessNetwork"] };
    case "GET /access/users/{userid}/token/{tokenid}":
    case "POST /access/users/{userid}/token/{tokenid}":
    case "PUT /access/users/{userid}/token/{tokenid}":
    case "DELETE /access/users/{userid}/token/{tokenid}":
      return { paths: ["/access/groups"], privileges: ["User.Modify"] };
    default:
      return undefined;
  }
}
