import { showUnfinished, unfinishedGuests } from "../../unfinished-guests.ts";
import { type Check, notice, ok } from "../check.ts";

/** Guests that interrupted creates have left: if their resource was renamed or removed since, no plan finds them. */
export const unfinished: Check = {
  id: "unfinished",
  needs: ["login"],
  async look(context) {
    const found = await unfinishedGuests(context.client());
    if (found.length === 0) return ok("no create was interrupted");
    return found.map((guest) => {
      const tool = guest.type === "qemu" ? "qm" : "pct";
      return notice(
        `${showUnfinished(guest)}: its create was interrupted, or is in progress`,
        "If no run creates it: the next apply resumes it for a resource with its name.",
        `Without such a resource, remove it on ${guest.node}: \`${tool} destroy ${guest.vmid} --purge\`.`,
      );
    });
  },
};
