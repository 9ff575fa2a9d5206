/** Scenarios in which the simulator still answers differently. The list only ever gets shorter. */
export const notYet: readonly string[] = [
  "y02-storage-types",
  "y03-storage-pbs-esxi-scan",
  "z04-replication-bulk",
  "z05-vm-agent",
  "z07-vm-import",
  "r44-node-disks-hardware",
];
