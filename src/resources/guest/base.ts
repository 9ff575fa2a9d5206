import type { Session, Subcategory } from "#kit";
import type { GuestType } from "#pve";
import type { GuestCalls } from "./calls.ts";

/** The part of a kind of guest that actions need. It has no attributes, so that an action does not load them. */
export interface GuestBase {
  /** In messages: `VM`, `container`. */
  readonly noun: string;
  /** The same at the beginning of a sentence. */
  readonly title: string;
  /** As PVE calls it in its lists and paths. */
  readonly type: GuestType;
  /** The resource type, for import blocks; the names of actions begin with it. */
  readonly resource: string;
  /** The group of its pages in the documentation. */
  readonly subcategory: Subcategory;
  calls(api: Session): GuestCalls;
}
