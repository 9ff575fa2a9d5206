import { type GuestPrivateState, initialPrivateState } from "../guest/private-state.ts";

export interface VmPrivateState extends GuestPrivateState {
  /** Image with write-only texts in the cloud-init drive. Null: there are none. */
  dataImage: string | null;
  /** While planning: whether that image is kept, whatever the texts are when they are read again. */
  isDataKept: boolean;
}

export const initialVmPrivateState: VmPrivateState = { ...initialPrivateState, dataImage: null, isDataKept: false };
