import { defineCrud, disabled, matches, oneOf, string } from "#kit";
import { comment } from "./comment.ts";
import { endpointNames, endpointTypes } from "./endpoint-types.ts";

/** `proxmox_notification_endpoint`. Server side: pve-manager `PVE/API2/Cluster/Notifications.pm`, proxmox-notify. */
export const notificationEndpoint = defineCrud({
  type: "proxmox_notification_endpoint",
  subcategory: "Cluster",
  doc: "A target of notifications: e-mail, Gotify or an HTTP request. Which of them a notification goes to is decided by `proxmox_notification_matcher`. The endpoint `mail-to-root` comes with Proxmox VE: destroying it restores its first settings.",
  noun: "notification endpoint",
  path: "/cluster/notifications/endpoints/{type}/{name}",
  file: "notifications.cfg",
  identity: ["type", "name"],
  isListWhole: true,
  variants: { names: endpointNames, attribute: "type" },
  isDeleteRepeated: true,
  plannedAs: "endpoint",
  isOwn: ({ origin }) => origin !== "builtin",
  attributes: {
    name: {
      type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
      mode: "required",
      wire: "name",
      replace: true,
      doc: "Name of the endpoint. Endpoints and matchers share their names.",
    },
    type: {
      type: oneOf(endpointNames),
      mode: "computed",
      keep: true,
      replace: true,
      instead: "Set `sendmail`, `smtp`, `gotify` or `webhook`.",
      doc: "Which of the four it is: `sendmail`, `smtp`, `gotify` or `webhook`.",
    },
    enabled: {
      ...disabled("disable"),
      doc: "Whether notifications are sent to it. Left out: a new one gets them; otherwise it stays as it is.",
    },
    comment,
    ...endpointTypes,
  },

  validate({ config, report }) {
    for (const name of ["sendmail", "smtp"] as const) {
      const given = config[name];
      if (!given || given.mailto !== null || given.mailto_users !== null) continue;
      const detail = "An e-mail needs a recipient: give `mailto` or `mailto_users`.";
      report.error(name, "Recipient needed", detail);
    }
  },
  parseId(id) {
    const [, type, name] = /^(sendmail|smtp|gotify|webhook)\/([^/]+)$/.exec(id) ?? [];
    return name === undefined ? null : { type: type as (typeof endpointNames)[number], name };
  },
});
