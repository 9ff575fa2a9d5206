import type {
  ChangeContext,
  DeleteContext,
  Desired,
  PlanContext,
  ReadContext,
  Session,
  SettleContext,
  State,
  UpdateContext,
  ValidateContext,
} from "#kit";
import type { NewGuest } from "../guest/context.ts";
import type { OfKind } from "../guest/hook.ts";
import type { VmAttributes } from "./attributes.ts";
import type { VmPrivateState } from "./private-state.ts";

/** The framework's contexts, as the hooks of this resource receive them. */
export type VmValidate = ValidateContext<VmAttributes>;
export type VmPlan = PlanContext<VmAttributes, VmPrivateState, Session> & OfKind;
export type VmChange = ChangeContext<VmAttributes, "vmid", VmPrivateState, Session> & OfKind;
export type VmSettle = SettleContext<VmAttributes, "vmid", VmPrivateState, Session, NewGuest> & OfKind;
export type VmRead = ReadContext<VmAttributes, "vmid", VmPrivateState, Session> & OfKind;
export type VmUpdate = UpdateContext<VmAttributes, "vmid", VmPrivateState, Session> & OfKind;
export type VmDelete = DeleteContext<VmAttributes, "vmid", VmPrivateState, Session> & OfKind;

export type VmDesired = Desired<VmAttributes>;
export type VmState = State<VmAttributes>;
