import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { onNode } from "../core/kernel/on-node.ts";
import { string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";

// pve-manager `PVE/API2/Services.pm`. All services run; starting and stopping is accepted without effect.

const services =
  `chrony corosync cron ksmtuned lxcfs postfix proxmox-firewall pve-cluster pve-firewall pve-ha-crm pve-ha-lrm
  pve-lxc-syscalld pvedaemon pvefw-logger pveproxy pvescheduler pvestatd qmeventd spiceproxy sshd syslog systemd-journald
  systemd-timesyncd`.split(/\s+/);

const essential = ["pveproxy", "pvedaemon", "pve-cluster"];
const absent = ["corosync", "syslog", "systemd-timesyncd"];
const parameters = { node, service: string({ enum: services }) };
const mayRead = { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] } as const;

function describe(service: string): Record<string, unknown> {
  const isAbsent = absent.includes(service);
  return {
    service,
    name: service,
    desc: service,
    state: isAbsent ? "dead" : "running",
    "active-state": isAbsent ? "inactive" : "active",
    "unit-state": isAbsent ? "not-found" : "enabled",
  };
}

const commands = (["start", "stop", "restart", "reload"] as const).map((command) =>
  endpoint({
    method: "POST",
    path: `/nodes/{node}/services/{service}/${command}`,
    ...onNode("Sys.Modify"),
    parameters,
    handler: (call) => {
      const { service } = call.params;
      return call.worker(`srv${command}`, service, () => {
        if (command === "stop" && essential.includes(service)) {
          die(`invalid service cmd '${service} stop': refusing to stop essential service!`);
        }
      });
    },
  }),
);

export const serviceEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/services",
    protected: true,
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: () => services.map(describe),
  }),
  indexEndpoint("/nodes/{node}/services/{service}", "subdir", ["state", "start", "stop", "restart", "reload"], {
    permissions: mayRead,
    parameters,
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/services/{service}/state",
    protected: true,
    proxyTo: "node",
    permissions: mayRead,
    parameters,
    handler: ({ params }) => describe(params.service),
  }),
  ...commands,
];
