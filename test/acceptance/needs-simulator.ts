/**
 * Acceptance tests that cannot run on the host that `PROXMOX_VE_ENDPOINT` names, by path below `test/acceptance`, and why.
 * They are skipped there; the others use that host.
 */
export const needsSimulator: Readonly<Record<string, string>> = {
  "access/access.test.ts": "creates users, roles and tokens, which are in no pool",
  "access/tfa.test.ts": "logs in as root@pam, which a host given by a token does not allow",
  "bench.test.ts": "compares times under latencies that only the simulator adds",
  "cdktf/stack.test.ts": "creates VMs with names that are compiled into the stack",
  "cli/adopt-corners.test.ts": "takes over a whole cluster",
  "cli/adopt.test.ts": "takes over a whole cluster",
  "cli/hostile-texts.test.ts": "fills a cluster with names and comments that try to run code",
  "cli/import.test.ts": "expects a cluster with certain VMs and nothing else",
  "cli/interrupted.test.ts": "orders slow answers, and interrupts commands while they read",
  "cli/rehearse.test.ts": "copies a whole cluster, and compares it afterwards",
  "cli/rehearse-folders.test.ts": "copies a whole cluster, and compares it afterwards",
  "cli/translate.test.ts": "needs the objects that the recorded states describe",
  "complete-examples.test.ts": "needs storages, mapped devices and networks of the seed",
  "container-moves.test.ts": "needs the containers that the recorded states describe",
  "definitions.test.ts": "changes the configuration of the whole cluster and of its nodes",
  "docs/encryption.test.ts": "is about the state, and needs any cluster",
  "docs/commands.test.ts": "runs the commands of the guides, with the names in them",
  "functions/functions.test.ts": "needs no host; one part expects certain VMs",
  "ha/ha.test.ts": "puts certain VMIDs under HA on three nodes",
  "incidents.test.ts": "orders faults, kills processes and changes VMs without the provider",
  "made-again.test.ts": "creates roles, storages and networks, which are in no pool",
  "mapping/hardware-mapping.test.ts": "maps devices of the seed's nodes",
  "networks.test.ts": "orders faults, and has zones, vnets and rules of its own",
  "nodes/certificates.test.ts": "orders certificates from an authority that exists on the simulator only",
  "observability/every-secret.test.ts": "gives secrets to objects of the whole cluster",
  "observability/log.test.ts": "orders faults",
  "observability/secrets.test.ts": "orders faults, and reads the tickets a server has issued",
  "observability/timeline.test.ts": "expects durations that only the simulator guarantees",
  "reach.test.ts": "gives the provider addresses, certificates and credentials that are wrong",
  "refusals.test.ts": "changes VMs without the provider",
  "schema/provider-json.test.ts": "needs no host",
  "shipping/ci.test.ts": "starts simulators of its own, as the scripts do",
  "shipping/install.test.ts": "installs the provider; any cluster will do",
  "shipping/light-processes.test.ts": "plans one VM; any cluster will do",
  "shipping/npm-package.test.ts": "tests the simulator that is shipped",
  "window.test.ts": "tests the page of the simulator",
  "vm-moves.test.ts": "needs the VMs that the recorded states describe",
  "vm-query.test.ts": "expects certain VMs and VMIDs",
  "vm-names.test.ts": "creates a VM with a certain name besides the one it manages",
  "vm-permissions.test.ts": "removes privileges of the token that it uses",
};

/** Whether the tests run on a cluster that they did not start. */
export const isHostGiven = Boolean(process.env["PROXMOX_VE_ENDPOINT"]);
