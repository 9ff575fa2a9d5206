import { beyondLatin, bool, int, lengthBetween, nested, nullable, oneOf, plainLine, string, type Type } from "#kit";

const member = <T extends Type>(type: T, doc: string) =>
  ({ type, mode: "optional_computed", keep: true, doc }) as const;

/** The HA manager does not keep an empty comment. */
const commentCheck = (text: string) => lengthBetween(1, 4096)(text) ?? plainLine(text) ?? beyondLatin(text);

/** High availability: not part of a guest's configuration. Server side: pve-ha-manager `src/PVE/API2/HA/Resources.pm`. */
export const ha = (noun: string) =>
  ({
    ha: {
      type: nullable(
        nested(
          {
            state: member(
              oneOf(["started", "stopped", "disabled", "ignored"]),
              "What the manager keeps it in. Not given: `started`, or what `power` says.",
            ),
            max_restart: member(nullable(int({ min: 0 })), "Attempts to start it again on the same node."),
            max_relocate: member(nullable(int({ min: 0 })), "Attempts to start it on other nodes."),
            failback: member(nullable(bool()), "Whether it goes back when a node with a higher priority returns."),
            comment: member(nullable(string({ check: commentCheck })), "A comment: letters up to `ÿ`."),
          },
          { mayBeEmpty: true },
        ),
      ),
      mode: "optional_computed",
      keep: true,
      doc: `Puts the ${noun} under high availability; needs \`Sys.Console\` on \`/\`. Never given: left alone. Taken out again: the manager forgets the ${noun}.`,
    },
  }) as const;
