import { die } from "../kernel/failure.ts";
import { namedFormat } from "./format.ts";

/*
 * Schedules of jobs: `mon..fri 8:00`, `*:0/15`, `2025-12-24 18:00`, `daily` (proxmox-time: `src/calendar_event.rs`).
 * The simulated nodes use UTC.
 */

/** The matching values of one component; undefined: all values match. */
type Matcher = ((value: number) => boolean) | undefined;

interface CalendarEvent {
  readonly weekdays: Matcher;
  readonly years: Matcher;
  readonly months: Matcher;
  readonly days: Matcher;
  readonly hours: Matcher;
  readonly minutes: Matcher;
  readonly seconds: Matcher;
}

const shorthands: Readonly<Record<string, string>> = {
  minutely: "*:*",
  hourly: "*:00",
  daily: "00:00",
  weekly: "mon 00:00",
  monthly: "*-*-1 00:00",
  yearly: "*-1-1 00:00",
  annually: "*-1-1 00:00",
  quarterly: "*-1,4,7,10-1 00:00",
  semiannually: "*-1,7-1 00:00",
  "semi-annually": "*-1,7-1 00:00",
};

// `*`, `*/5`, or a list of `5`, `1..5` and `0/15`, each number within the bounds; null if it is not a component.
function component(text: string, low: number, high: number): { matcher: Matcher } | null {
  if (text === "*") {
    return { matcher: undefined };
  }
  const parts: Matcher[] = [];
  for (const part of text.split(",")) {
    const found = /^(?:(\*)|(\d+)(?:\.\.(\d+))?)(?:\/(\d+))?$/.exec(part);
    const from = found?.[1] ? low : Number(found?.[2]);
    const step = found?.[4] === undefined ? undefined : Number(found[4]);
    const to = found?.[3] === undefined ? (step === undefined && !found?.[1] ? from : high) : Number(found[3]);
    const isAloneOrNumber = found?.[1] === undefined || part === text;
    const isTooLarge = to > high || (step ?? 0) > high;
    if (found === null || !isAloneOrNumber || from < 0 || isTooLarge || from > to || step === 0) {
      return null;
    }
    parts.push((value) => value >= from && value <= to && (value - from) % (step ?? 1) === 0);
  }
  return { matcher: (value) => parts.some((matches) => matches?.(value)) };
}

const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

function weekdays(text: string): { matcher: Matcher } | null {
  const indexOf = (name: string) => weekdayNames.findIndex((day) => day === name || day.slice(0, 3) === name);
  const days = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [first = "", last = first] = part.split("..");
    const [from, to] = [indexOf(first), indexOf(last)];
    if (from < 0 || to < 0) {
      return null;
    }
    // A range may wrap around the end of the week: `sat..mon`.
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) {
        break;
      }
    }
  }
  return { matcher: (value) => days.has(value) };
}

function dates(text: string): Pick<CalendarEvent, "years" | "months" | "days"> | null {
  const parts = text.split("-");
  if (parts.length < 2 || parts.length > 3) {
    return null;
  }
  const [year = "*", month = "", day = ""] = parts.length === 3 ? parts : ["*", ...parts];
  const [years, months, days] = [component(year, 0, 2199), component(month, 1, 12), component(day, 1, 31)];
  return years && months && days && { years: years.matcher, months: months.matcher, days: days.matcher };
}

/** A single number counts minutes. */
function times(text: string): Pick<CalendarEvent, "hours" | "minutes" | "seconds"> | null {
  const parts = text.split(":");
  const [hour = "*", minute = "", second = "0"] = parts.length === 1 ? ["*", ...parts] : parts;
  const [hours, minutes, seconds] = [component(hour, 0, 23), component(minute, 0, 59), component(second, 0, 59)];
  if (parts.length > 3 || !hours || !minutes || !seconds) {
    return null;
  }
  return { hours: hours.matcher, minutes: minutes.matcher, seconds: seconds.matcher };
}

const exactly = (wanted: number) => (value: number) => value === wanted;
const midnight = { hours: exactly(0), minutes: exactly(0), seconds: exactly(0) };
const anyDate = { years: undefined, months: undefined, days: undefined };

function parse(text: string): CalendarEvent {
  const local = text.replace(/ *UTC$/, "");
  const words = (shorthands[local] ?? local).split(/\s+/).filter((word) => word !== "");
  const day = /^[a-z]/i.test(words[0] ?? "") ? weekdays(words.shift() ?? "") : { matcher: undefined };
  const date = words[0]?.includes("-") ? dates(words.shift() ?? "") : anyDate;
  const time = words.length === 0 ? midnight : times(words.shift() ?? "");
  if (local.trim() === "" || day === null || date === null || time === null || words.length > 0) {
    const [first = ""] = text.trim().split(/\s+/);
    return die(
      `invalid calendar event '${text}' - unable to parse calendar event at '${first}' - Context("weekday")\n`,
    );
  }
  return { weekdays: day.matcher, ...date, ...time };
}

export const calendarEventFormat = namedFormat("pve-calendar-event", (value) => void parse(value));

const daySeconds = 86_400;
/** PVE stops searching after this many years. */
const horizon = 8 * 366 * daySeconds;

const matches = (matcher: Matcher, value: number) => matcher === undefined || matcher(value);

/** The first time after `after` (seconds since the epoch) that matches the schedule, if any. */
export function nextEvent(schedule: string, after: number): number | undefined {
  const event = parse(schedule);
  const start = Math.floor(after) + 1;
  for (let day = start - (start % daySeconds); day < start + horizon; day += daySeconds) {
    const date = new Date(day * 1000);
    const isDue =
      matches(event.weekdays, date.getUTCDay()) &&
      matches(event.years, date.getUTCFullYear()) &&
      matches(event.months, date.getUTCMonth() + 1) &&
      matches(event.days, date.getUTCDate());
    const due = isDue ? timeOfDay(event, Math.max(0, start - day)) : undefined;
    if (due !== undefined) {
      return day + due;
    }
  }
  return undefined;
}

/** The first matching second of a day, starting at `from`. */
function timeOfDay({ hours, minutes, seconds }: CalendarEvent, from: number): number | undefined {
  for (let minute = Math.floor(from / 60); minute < 24 * 60; minute += 1) {
    if (!(matches(hours, Math.floor(minute / 60)) && matches(minutes, minute % 60))) {
      continue;
    }
    for (let second = Math.max(0, from - minute * 60); second < 60; second += 1) {
      if (matches(seconds, second)) {
        return minute * 60 + second;
      }
    }
  }
  return undefined;
}
