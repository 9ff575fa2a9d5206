import { isPveError, oncePerRunFor } from "#kit";

/** Null where the caller may not look: a check that cannot look refuses nothing. */
async function ifAllowed<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (reason) {
    if (isPveError(reason, "permission")) return null;
    throw reason;
  }
}

// What checks look up. Hundreds of VMs that are planned in one run share one answer each.

/** Volumes and files of a storage, of one kind of content. */
export const volumesOn = oncePerRunFor((api, node: string, storage: string, content: string) =>
  ifAllowed(api.storage.listVolumes(node, storage, { content })),
);

/** Image formats that each storage of the node can allocate. */
export const formatsOn = oncePerRunFor(async (api, node: string) => {
  const storages = await ifAllowed(api.storage.listOnNode(node, { format: true }));
  return new Map((storages ?? []).map(({ storage, formats }) => [storage, formats?.supported]));
});

export const cpuModelsOn = oncePerRunFor((api, node: string) => ifAllowed(api.nodes.listCpuModels(node)));

export const cpuFlagsOn = oncePerRunFor((api, node: string) => ifAllowed(api.nodes.listCpuFlags(node)));

export const machineTypesOn = oncePerRunFor((api, node: string) => ifAllowed(api.nodes.listMachineTypes(node)));

export const bridgesOn = oncePerRunFor((api, node: string) => ifAllowed(api.network.list(node, "any_bridge")));

export const snapshotsOf = oncePerRunFor((api, node: string, vmid: string) =>
  ifAllowed(api.snapshots.list({ node, vmid: Number(vmid) })),
);

/** Whether every disk of the VM, or of its snapshot, can be linked (`clone`) or copied (`copy`). */
export const canClone = oncePerRunFor((api, node: string, vmid: string, feature: "clone" | "copy", snapname: string) =>
  ifAllowed(api.qemu.hasFeature({ node, vmid: Number(vmid) }, { feature, ...(snapname !== "" && { snapname }) })),
);

export const mappingsOf = oncePerRunFor((api, kind: "pci" | "usb" | "dir") => ifAllowed(api.mappings[kind].list()));
