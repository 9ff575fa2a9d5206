import type {
  ChangeContext,
  Desired,
  PlanContext,
  ReadContext,
  Session,
  State,
  UpdateContext,
  ValidateContext,
} from "#kit";
import type { OfKind } from "../guest/hook.ts";
import type { GuestPrivateState } from "../guest/private-state.ts";
import type { ContainerAttributes } from "./attributes.ts";

/** The framework's contexts, as the hooks of this resource receive them. */
export type ContainerValidate = ValidateContext<ContainerAttributes>;
export type ContainerPlan = PlanContext<ContainerAttributes, GuestPrivateState, Session> & OfKind;
export type ContainerChange = ChangeContext<ContainerAttributes, "vmid", GuestPrivateState, Session> & OfKind;
export type ContainerRead = ReadContext<ContainerAttributes, "vmid", GuestPrivateState, Session> & OfKind;
export type ContainerUpdate = UpdateContext<ContainerAttributes, "vmid", GuestPrivateState, Session> & OfKind;

export type ContainerDesired = Desired<ContainerAttributes>;
export type ContainerState = State<ContainerAttributes>;
