import { createHash } from "node:crypto";
import { raise } from "../core/kernel/failure.ts";
import type { NotificationEntry, Notifications } from "../core/world/notifications.ts";

export type EntryType = NotificationEntry["type"];
type Options = NotificationEntry["options"];

/**
 * Present without any configuration; deleting a changed entry restores it (proxmox-ve-rs: `src/notify.rs`, defaults).
 */
const builtIn: Notifications = {
  "mail-to-root": {
    type: "sendmail",
    options: { comment: "Send mails to root@pam's email address", "mailto-user": ["root@pam"] },
    secrets: {},
  },
  "default-matcher": {
    type: "matcher",
    options: { comment: "Route all notifications to mail-to-root", mode: "all", target: ["mail-to-root"] },
    secrets: {},
  },
};

/** All entries, in the order of the file; built-in ones first. */
export function allEntries(configured: Notifications): Notifications {
  return { ...builtIn, ...configured };
}

export function originOf(configured: Notifications, name: string): string {
  if (builtIn[name] === undefined) {
    return "user-created";
  }
  return configured[name] === undefined ? "builtin" : "modified-builtin";
}

/** SHA-256 of the whole file, the same for all entries. */
export function digestOf(configured: Notifications): string {
  const lines = Object.entries(configured).map(
    ([name, { type, options }]) => `${type}: ${name} ${JSON.stringify(options)}`,
  );
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** An endpoint or matcher of that type, or PVE's 404. */
export function findEntry(configured: Notifications, type: EntryType, name: string): NotificationEntry {
  const entry = allEntries(configured)[name];
  const noun = type === "matcher" ? "matcher" : "endpoint";
  return entry?.type === type ? entry : raise(404, `${noun} '${name}' not found`);
}

export function findTarget(configured: Notifications, name: string): NotificationEntry {
  const entry = allEntries(configured)[name];
  return entry === undefined || entry.type === "matcher" ? raise(404, `endpoint '${name}' does not exist`) : entry;
}

/** An entry as the API answers it: without secrets; for a webhook only the names of its secrets. */
export function describeEntry(configured: Notifications, name: string, { type, options, secrets }: NotificationEntry) {
  const names =
    type === "webhook" ? [secrets["secret"] ?? []].flat().map((secret) => secret.replace(/,value=.*$/, "")) : [];
  return {
    name,
    origin: originOf(configured, name),
    ...options,
    ...(names.length === 0 ? {} : { secret: names }),
  };
}

/** The options of a request: lists as lists, flags and ports as numbers, secrets separately. */
export function splitSecrets(
  given: Options,
  isSecret: (name: string) => boolean,
): Pick<NotificationEntry, "options" | "secrets"> {
  const entries = Object.entries(given).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return {
    options: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => isSecret(name))) as NotificationEntry["secrets"],
  };
}
