import { oncePerRunFor } from "#kit";
import { ifAllowed } from "../../../guest/plan/checks/facts.ts";

// Answers that the checks of all VMs in a run share.

export const cpuModelsOn = oncePerRunFor((api, node: string) => ifAllowed(api.nodes.listCpuModels(node)));

export const cpuFlagsOn = oncePerRunFor((api, node: string) => ifAllowed(api.nodes.listCpuFlags(node)));

export const machineTypesOn = oncePerRunFor((api, node: string) => ifAllowed(api.nodes.listMachineTypes(node)));

export const snapshotsOf = oncePerRunFor((api, node: string, vmid: string) =>
  ifAllowed(api.snapshots.list({ node, vmid: Number(vmid) })),
);

/** Whether every disk of the VM, or of its snapshot, can be linked (`clone`) or copied (`copy`). */
export const canClone = oncePerRunFor((api, node: string, vmid: string, feature: "clone" | "copy", snapname: string) =>
  ifAllowed(api.qemu.hasFeature({ node, vmid: Number(vmid) }, { feature, ...(snapname !== "" && { snapname }) })),
);

export const mappingsOf = oncePerRunFor((api, kind: "pci" | "usb" | "dir") => ifAllowed(api.mappings[kind].list()));
