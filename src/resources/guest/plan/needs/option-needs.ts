import { type ConfigDraft, type Need, pathOfOption } from "#kit";
import type { GuestKind } from "../../kind.ts";
import { guestPrivileges } from "../../privileges.ts";
import { type Held, onGuest, onPath } from "./need.ts";

/** The privileges on the guest that the options of a change require. */
export function optionNeeds(kind: GuestKind, guest: Held, after: ConfigDraft): Need[] {
  const { set, delete: removed } = after.patch;
  return [...Object.keys(set), ...removed].flatMap((option) => {
    const privilege = kind.plan.privilegeOf(option);
    const attribute = pathOfOption(kind.attributes, option);
    return [
      ...(privilege === null ? [] : [onGuest(guest, privilege, attribute)]),
      ...(option === "startup" ? [onPath(guestPrivileges.startup, "/", attribute)] : []),
    ];
  });
}
