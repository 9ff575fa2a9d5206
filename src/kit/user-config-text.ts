import { string } from "#framework";

/**
 * Text as `user.cfg` can hold it: a line of fields without blanks at its ends, where an empty field and `0` are no
 * field at all (pve-access-control: src/PVE/AccessControl.pm, `parse_user_config` and `write_user_config`).
 */
export const userConfigText = (longest: number) =>
  string({
    check: (text) => {
      if (text === "" || text === "0") return "Must not be empty or `0`: leave it out instead.";
      if (text !== text.replace(/^ +| +$/g, "")) return "Must not begin or end with a blank: Proxmox VE cuts it off.";
      return text.length > longest ? `Must be at most ${longest} characters long.` : undefined;
    },
  });
