import { die, raise } from "../core/kernel/failure.ts";
import type { NotificationEntry, Notifications } from "../core/world/notifications.ts";
import { allEntries, type EntryType, findTarget } from "./entries.ts";
import { regexProblem } from "./rust-regex.ts";
import { verifySection } from "./section.ts";

const list = (value: unknown): string[] => (value === undefined ? [] : [value as string | string[]].flat());

/** Checks a whole entry before it is written (proxmox-notify: `src/api`, one file per type). */
export function checkEntry(
  configured: Notifications,
  name: string,
  { type, options }: Pick<NotificationEntry, "type" | "options">,
): void {
  const hasRecipient = list(options["mailto"]).length > 0 || list(options["mailto-user"]).length > 0;
  if ((type === "sendmail" || type === "smtp") && !hasRecipient) {
    raise(400, "must at least provide one recipient, either in mailto or in mailto-user");
  }
  if (type === "matcher") {
    checkMatcher(configured, options);
  }
  verifySection(name, { type, options });
}

function checkMatcher(configured: Notifications, options: NotificationEntry["options"]): void {
  for (const severity of list(options["match-severity"]).flatMap((value) => value.split(","))) {
    if (!["info", "notice", "warning", "error", "unknown"].includes(severity.trim())) {
      die(`error: invalid severity ${severity.trim()}`);
    }
  }
  for (const field of list(options["match-field"])) {
    if (!/^(exact|regex):[^=]+=/.test(field)) {
      die(`error: could not apply filter: invalid match-field statement: ${field}`);
    }
    const problem = /^regex:[^=]+=/.test(field) ? regexProblem(field.replace(/^regex:[^=]+=/, "")) : undefined;
    if (problem !== undefined) {
      die(`error: could not apply filter: invalid regex: ${problem}`);
    }
  }
  for (const schedule of list(options["match-calendar"])) {
    if (!isDailyDuration(schedule)) {
      die(`error: could not parse schedule: unable to parse daily duration at '${schedule}' - Context("weekday")`);
    }
  }
  for (const target of list(options["target"])) {
    findTarget(configured, target);
  }
}

/** Days of the week, then a range of hours: `mon..fri 8-17`, `8:00-17:30` (proxmox-time: `src/daily_duration.rs`). */
function isDailyDuration(text: string): boolean {
  const day = "(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*";
  const days = `${day}(?:\\.\\.${day})?`;
  const time = "\\d{1,2}(?::\\d{1,2})?";
  return new RegExp(`^\\s*(?:${days}(?:\\s*,\\s*${days})*\\s+)?${time}\\s*-\\s*${time}\\s*$`, "i").test(text);
}

export function checkNameFree(configured: Notifications, name: string): void {
  if (allEntries(configured)[name] !== undefined) {
    raise(400, `Cannot create '${name}', an entity with the same name already exists`);
  }
}

export function checkUnreferenced(configured: Notifications, type: EntryType, name: string): void {
  const referrers = Object.entries(configured).filter(
    ([, entry]) => entry.type === "matcher" && list(entry.options["target"]).includes(name),
  );
  if (type !== "matcher" && referrers.length > 0) {
    raise(400, `cannot delete '${name}', referenced by: ${referrers.map(([referrer]) => referrer).join(", ")}`);
  }
}
