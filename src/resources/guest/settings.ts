import { bool, derived, group, inherits, int, matches, set, string } from "#kit";
import { newMark, withMark } from "./mark.ts";
import { dnsName } from "./validate/names.ts";

const tag = string({
  check: matches(/^[a-z0-9_][a-z0-9_+.-]*$/i, "letters, digits and `_ + . -`, not starting with a sign"),
  same: (a, b) => a.toLowerCase() === b.toLowerCase(),
});

/** PVE takes 8192 characters (pve-guest-common: src/PVE/AbstractConfig.pm), of which a guest that is being made needs some. */
const longest = 8192 - withMark("x", newMark()).length + 1;

function describes(text: string): string | undefined {
  // Perl's truth.
  if (text === "0") return "Proxmox VE does not store `0` as a description.";
  const { length } = [...text.trimEnd()];
  return length > longest ? `Must have at most ${longest} characters, and it has ${length}.` : undefined;
}

/** Settings that VMs and containers share, one option each; `nameOption` is the one that holds the name. */
export const guestSettings = (nameOption: "name" | "hostname") =>
  ({
    name: inherits(
      string({ check: dnsName }),
      nameOption,
      "Name; a DNS name, and unique unless `allow_duplicate_name`.",
    ),
    description: inherits(
      string({
        check: describes,
        same: (a, b) => a.trimEnd() === b.trimEnd(),
      }),
      "description",
      "Notes, as Markdown.",
      { as: { parse: (raw) => String(raw).trimEnd() || null, print: (value) => String(value).trimEnd() } },
    ),
    tags: inherits(set(tag), "tags", "Tags; PVE stores them in lower case."),
    on_boot: inherits(bool(), "onboot", "Whether it starts with its node."),
    startup: group(
      {
        order: inherits(int({ min: 0 }), "startup/order", "Place in the order of starting."),
        up_delay: inherits(int({ min: 0 }), "startup/up", "Seconds to wait before the next one starts."),
        down_delay: inherits(int({ min: 0 }), "startup/down", "Seconds it is given to shut down."),
      },
      "Starting and stopping together with its node. Needs `Sys.Modify` on `/`.",
    ),
    protection: inherits(
      bool(),
      "protection",
      "Whether it and its disks are protected from being removed. The last thing a create sets, so that a create that failed can be replaced.",
    ),
    template: derived(
      bool(),
      "Whether it is a template. Converting cannot be undone.",
      { parse: (draft) => Number(draft.raw("template") ?? 0) === 1 },
      { undo: "never" },
    ),
  }) as const;
