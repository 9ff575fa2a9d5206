import type { Session } from "#kit";
import type { GuestKind } from "./kind.ts";
import { runOf } from "./run.ts";

export interface OfKind {
  readonly kind: GuestKind;
}

/** Makes hooks of a resource: each is given its kind of guest, and counts as work on guests while it runs. */
export const hooksOf =
  (kind: GuestKind) =>
  <C extends OfKind & { readonly api: Session | undefined }, R>(hook: (context: C) => Promise<R>) =>
  (context: Omit<C, "kind">): Promise<R> => {
    // Getters, such as those of a plan, must stay getters.
    const properties = { ...Object.getOwnPropertyDescriptors(context), kind: { value: kind, enumerable: true } };
    const work = () => hook(Object.defineProperties({}, properties) as C);
    return context.api ? runOf(context.api).activity.during(work) : work();
  };
