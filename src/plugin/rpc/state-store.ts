import type { ProviderHandlers } from "./provider-handlers.ts";

/** Proxmox VE stores no Terraform state, and core calls only a provider whose schema lists a store. */
export const stateStore = {
  validateStateStoreConfig: "unimplemented",
  configureStateStore: "unimplemented",
  readStateBytes: "unimplemented",
  writeStateBytes: "unimplemented",
  lockState: "unimplemented",
  unlockState: "unimplemented",
  getStates: "unimplemented",
  deleteState: "unimplemented",
} satisfies Partial<ProviderHandlers>;
