import type {
  BeforeContext,
  ChangeContext,
  CreateContext,
  DeleteContext,
  Desired,
  ImportContext,
  PlanContext,
  PlanDeleteContext,
  ReadContext,
  Session,
  SettleContext,
  State,
  UpdateContext,
  ValidateContext,
} from "#kit";
import type { VmAttributes } from "./attributes.ts";
import type { NewVm } from "./lifecycle/clone.ts";
import type { VmPrivateState } from "./private-state.ts";

/** The framework's contexts, as the hooks of this resource see them. */
export type VmValidate = ValidateContext<VmAttributes>;
export type VmPlan = PlanContext<VmAttributes, VmPrivateState, Session>;
export type VmPlanDelete = PlanDeleteContext<VmAttributes, "vmid", VmPrivateState, Session>;
export type VmBefore = BeforeContext<VmAttributes, "vmid", VmPrivateState, Session, NewVm>;
export type VmCreate = CreateContext<VmAttributes, "vmid", VmPrivateState, Session>;
export type VmChange = ChangeContext<VmAttributes, "vmid", VmPrivateState, Session>;
export type VmSettle = SettleContext<VmAttributes, "vmid", VmPrivateState, Session, NewVm>;
export type VmRead = ReadContext<VmAttributes, "vmid", VmPrivateState, Session>;
export type VmUpdate = UpdateContext<VmAttributes, "vmid", VmPrivateState, Session>;
export type VmDelete = DeleteContext<VmAttributes, "vmid", VmPrivateState, Session>;
export type VmImport = ImportContext<VmAttributes, VmPrivateState, Session>;

export type VmDesired = Desired<VmAttributes>;
export type VmState = State<VmAttributes>;
