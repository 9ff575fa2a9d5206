import type { ProviderHandlers } from "./provider-handlers.ts";

/** No provider of the framework stores Terraform's state, and core calls only one whose schema lists a store. */
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
