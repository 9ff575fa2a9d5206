import { bool, defineCrud, disabled, list, matches, oneOf, set, string } from "#kit";
import { comment } from "./comment.ts";

const severity = "(info|notice|warning|error|unknown)";
const day = "(sun|mon|tue|wed|thu|fri|sat)[a-z]*";
const time = "\\d{1,2}(:\\d{1,2})?";
const dailySpan = new RegExp(`^((${day}(\\.\\.${day})?)(, ?(${day}(\\.\\.${day})?))* )?${time} ?- ?${time}$`, "i");

const statements = (wire: string, check: ReturnType<typeof matches>, doc: string) =>
  ({ type: list(string({ check }), { min: 1 }), mode: "optional", wire, repeated: true, doc }) as const;

/** `proxmox_notification_matcher`. Server side: pve-manager `PVE/API2/Cluster/Notifications.pm`, proxmox-notify. */
export const notificationMatcher = defineCrud({
  type: "proxmox_notification_matcher",
  subcategory: "Cluster",
  doc: "A rule that sends notifications to endpoints. Every matcher that fits takes effect. The matcher `default-matcher` comes with Proxmox VE and sends everything to `mail-to-root`: destroying it restores its first settings.",
  noun: "notification matcher",
  path: "/cluster/notifications/matchers/{name}",
  file: "notifications.cfg",
  identity: ["name"],
  isListWhole: true,
  isDeleteRepeated: true,
  isOwn: ({ origin }) => origin !== "builtin",
  attributes: {
    name: {
      type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
      mode: "required",
      wire: "name",
      replace: true,
      doc: "Name of the matcher. Endpoints and matchers share their names.",
    },
    targets: {
      type: set(string(), { min: 1 }),
      mode: "optional",
      wire: "target",
      repeated: true,
      refers: "endpoint",
      doc: "Endpoints that the notifications go to. Left out: none.",
    },
    mode: {
      type: oneOf(["all", "any"]),
      mode: "optional",
      wire: "mode",
      doc: "Whether a notification has to fit all statements or any of them. Left out: `all`.",
    },
    invert_match: {
      type: bool(),
      mode: "optional",
      wire: "invert-match",
      doc: "Whether those that do not fit are sent instead. Left out: those that fit.",
    },
    match_fields: statements(
      "match-field",
      matches(
        /^(exact|regex):[^=\s]+=[^\n]+$/,
        '"exact:" or "regex:", a field, "=" and a value, such as "exact:type=vzdump"',
      ),
      "Statements about fields, such as `exact:type=vzdump` or `regex:hostname=^pve`. Left out: any.",
    ),
    match_severities: statements(
      "match-severity",
      matches(new RegExp(`^${severity}(, ?${severity})*$`), "severities such as `error` or `warning,error`"),
      "Statements about the severity, each of one or several of `info`, `notice`, `warning`, `error` and `unknown` joined by commas. Left out: any.",
    ),
    match_calendars: statements(
      "match-calendar",
      matches(dailySpan, "days and hours such as `mon..fri 8-17`"),
      "Statements about the time, such as `mon..fri 8:00-17:30`. Left out: any.",
    ),
    enabled: {
      ...disabled("disable"),
      doc: "Whether the matcher counts. Left out: a new one does; otherwise it stays as it is.",
    },
    comment,
  },
});
