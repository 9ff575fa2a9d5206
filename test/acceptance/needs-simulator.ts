/**
 * Acceptance tests that a host named by `PROXMOX_VE_ENDPOINT` cannot take, by path below `test/acceptance`, and why. They
 * are skipped there; the others use that host.
 */
export const needsSimulator: Readonly<Record<string, string>> = {
  "bench.test.ts": "compares times under latencies that only the simulator adds",
  "cli/import.test.ts": "expects a cluster with certain VMs and nothing else",
  "complete-examples.test.ts": "needs storages, mapped devices and networks of the seed",
  "docs/commands.test.ts": "types what guides say, with the names they use",
  "functions/functions.test.ts": "needs no host; one part expects certain VMs",
  "ha/ha.test.ts": "puts certain VMIDs under HA on three nodes",
  "incidents.test.ts": "orders faults, kills processes and meddles with VMs behind the provider's back",
  "mapping/hardware-mapping.test.ts": "maps devices of the seed's nodes",
  "observability/log.test.ts": "orders faults",
  "observability/secrets.test.ts": "orders faults, and reads the tickets a server has issued",
  "observability/timeline.test.ts": "expects durations that only the simulator keeps",
  "reach.test.ts": "gives the provider addresses, certificates and credentials that are wrong",
  "refusals.test.ts": "meddles with VMs behind the provider's back",
  "schema/provider-json.test.ts": "needs no host",
  "shipping/install.test.ts": "installs the provider; any cluster will do",
  "shipping/light-processes.test.ts": "plans one VM; any cluster will do",
  "shipping/npm-package.test.ts": "tests the simulator that is shipped",
  "storage/files.test.ts": "downloads from an address that exists on the simulator only",
  "window.test.ts": "looks at the page of the simulator",
  "vm-moves.test.ts": "needs the VMs that the recorded states describe",
  "vm-query.test.ts": "expects certain VMs, and triggers that ask for a VMID of its own",
  "vm-names.test.ts": "plants a VM of a name of its own beside the one it manages",
  "vm-permissions.test.ts": "takes privileges away from the token it uses",
};

/** Whether the tests are to run on a cluster they have not started themselves. */
export const isHostGiven = Boolean(process.env["PROXMOX_VE_ENDPOINT"]);
