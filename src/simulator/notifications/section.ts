import { die } from "../core/kernel/failure.ts";
import type { NotificationEntry } from "../core/world/notifications.ts";
import type { EntryType } from "./entries.ts";

// An entry in its Rust type and in its file: proxmox-notify, proxmox-section-config and proxmox-schema.

/** The options that an update may delete, in the order in which a refusal lists them. */
const deletable: Readonly<Record<EntryType, readonly string[]>> = {
  gotify: ["comment", "disable"],
  sendmail: ["author", "comment", "disable", "from-address", "mailto", "mailto-user"],
  smtp: ["author", "comment", "disable", "mailto", "mailto-user", "password", "port", "username"],
  webhook: ["comment", "disable", "header", "body", "secret"],
  matcher: ["comment", "disable", "invert-match", "match-calendar", "match-field", "match-severity", "mode", "target"],
};

/** Dies where a request does not fit the Rust types of the call, before anything else is looked at. */
export function checkTypes(type: EntryType, port: unknown, deleted: readonly string[] = []): void {
  const known = deletable[type].map((name) => `\`${name}\``);
  const unknown = deleted.find((name) => !deletable[type].includes(name));
  if (unknown !== undefined) {
    const expected = known.length === 2 ? known.join(" or ") : `one of ${known.join(", ")}`;
    die(`error: unknown variant \`${unknown}\`, expected ${expected}`);
  }
  if (port !== undefined && (Number(port) < 0 || Number(port) > 65_535)) {
    die(`error: invalid value: integer \`${port}\`, expected u16`);
  }
}

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const host = `(?:(?:${label}\\.)*${label}|\\[[0-9a-fA-F:.]+\\])(?::\\d{1,5})?`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what the pattern excludes
const control = /[\x00-\x1f\x7f]/;

/** The file is verified when it is written. */
export function verifySection(name: string, { type, options }: Pick<NotificationEntry, "type" | "options">): void {
  const refuse = (option: string, reason: string): never => {
    const detail = `verify section '${name}' failed - parameter verification failed - '${option}': ${reason}`;
    const failed = `writing "notifications.cfg" failed: ${detail}`;
    return die(`could not serialize configuration: ${failed}: ${failed}`);
  };
  const mismatch = "value does not match the regex pattern";
  const comment = String(options["comment"] ?? "");
  if ([...comment].length > 128) {
    refuse("comment", "value may only be 128 characters long");
  }
  if (control.test(comment)) {
    refuse("comment", mismatch);
  }
  const url = String(options["url"] ?? "");
  if (
    type === "webhook" &&
    (!new RegExp(`^https?://(?:${host}|[0-9a-fA-F:.]+)(?:/.*)?$`, "s").test(url) || control.test(url))
  ) {
    refuse("url", mismatch);
  }
}

/** The options as they are read back: a line of the file keeps no blanks around a value. */
export function readBack(options: NotificationEntry["options"]): NotificationEntry["options"] {
  const trim = <T>(value: T): T => (typeof value === "string" ? value.trim() : value) as T;
  const lines = Object.entries(options).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(trim) : trim(value),
  ]);
  return Object.fromEntries(lines) as NotificationEntry["options"];
}
