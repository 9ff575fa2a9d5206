import { verifyUserName } from "../core/access/identity.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { permissionError, raise } from "../core/kernel/failure.ts";
import { addressFormat } from "../core/schema/network-formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { forkProxy, pixels, ticketOf, viewerConfig } from "../guests/consoles.ts";

/*
 * Shells of nodes (pve-manager `PVE/API2/Nodes.pm`): as with consoles of guests, tickets and ports are issued, but no
 * server listens there.
 */

const mayUse = { check: ["perm", "/nodes/{node}", ["Sys.Console"]] } as const;
const common = { method: "POST", protected: true, permissions: mayUse } as const;
const command = {
  cmd: string({ optional: true, enum: ["ceph_install", "login", "upgrade"] }),
  "cmd-opts": string({ optional: true, requires: "cmd" }),
};

/** Programs other than the login require root; PVE does not treat the id of a token as a user name here. */
function checkCommand({ caller }: Call, cmd: string | undefined): void {
  verifyUserName(caller.id);
  if (cmd !== undefined && cmd !== "login" && !caller.isRoot) {
    permissionError("user != root@pam");
  }
}

export const shellEndpoints = [
  endpoint({
    ...common,
    path: "/nodes/{node}/vncshell",
    parameters: {
      node,
      ...command,
      websocket: boolean({ optional: true }),
      width: pixels(4096),
      height: pixels(2160),
    },
    handler: (given) => {
      const call = given as unknown as Call;
      checkCommand(call, given.params.cmd);
      const { ticket, ...place } = ticketOf(call);
      const cert = "-----BEGIN CERTIFICATE-----\n";
      const shell = { ...place, upid: forkProxy(call, "vncshell", ""), cert };
      if (given.params.websocket !== 1) {
        return { ...shell, ticket };
      }
      const password = call.sim.random.uuid().slice(0, 8);
      return { ...shell, ticket: `${password}:${ticket}`, password };
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/termproxy",
    parameters: { node, ...command },
    handler: (given) => {
      const call = given as unknown as Call;
      return { ...ticketOf(call), upid: forkProxy(call, "vncshell", "") };
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/spiceshell",
    proxyTo: "node",
    parameters: { node, ...command, proxy: string({ optional: true, format: addressFormat }) },
    handler: (given) => {
      const call = given as unknown as Call;
      checkCommand(call, given.params.cmd);
      forkProxy(call, "spiceshell", "");
      return viewerConfig(call, `Shell on '${call.node}'`, 0);
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/vncwebsocket",
    permissions: mayUse,
    parameters: { node, vncticket: string({ maxLength: 512 }), port: integer({ minimum: 5900, maximum: 5999 }) },
    handler: () => raise(401, "permission denied - invalid PVEVNC ticket"),
  }),
];
