import { string } from "#framework";

/** Words of proxmox-time (`src/calendar_event.rs`) for whole schedules. */
const shorthands = new Set([
  "minutely",
  "hourly",
  "daily",
  "weekly",
  "monthly",
  "quarterly",
  "semiannually",
  "semi-annually",
  "yearly",
  "annually",
]);

const day = "(?:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)";
const days = `${day}(?:\\.\\.${day})?`;
const item = "\\d+(?:\\.\\.\\d+)?(?:/\\d+)?";
/** `*`, every so often, or a list of numbers, ranges and repetitions. */
const part = `(?:\\*(?:/\\d+)?|${item}(?:,${item})*)`;

const form = new RegExp(
  `^(${days}(?:,${days})*)?[ \\t]*(?:(?:(${part})-)?(${part})-(${part}))?[ \\t]*(?:(?:(${part}):)?(${part})(?::(${part}))?)?$`,
  "i",
);

/** The largest values of year, month, day, hour, minute and second. */
const limits = [2199, 12, 31, 23, 59, 59];

const examples = "such as `21:00`, `mon..fri 22:30`, `*/30`, `*-*-1 02:00` or `daily`";

/** What is wrong with a schedule of a job, as PVE reads calendar events; undefined if nothing is. */
export function faultOfSchedule(text: string): string | undefined {
  const local = text.replace(/ *UTC$/, "");
  if (shorthands.has(local)) return undefined;
  const [, weekdays, ...parts] = form.exec(local) ?? [];
  const given = parts.map((values, index) => ({ values, limit: limits[index] ?? 0 }));
  if (text.length > 128 || (weekdays === undefined && given.every(({ values }) => values === undefined))) {
    const isCron = /^\S+( \S+){4}$/.test(text);
    return `Must be a calendar event of Proxmox VE, ${examples}.${isCron ? " It is not a line of cron." : ""}`;
  }
  return given.map(({ values, limit }) => faultOfPart(values, limit)).find((fault) => fault !== undefined);
}

function faultOfPart(values: string | undefined, limit: number): string | undefined {
  for (const one of values?.split(",") ?? []) {
    const [, first = "0", last = first, step = "1"] = /^\*?(\d+)?(?:\.\.(\d+))?(?:\/(\d+))?$/.exec(one) ?? [];
    if ([first, last, step].some((number) => Number(number) > limit)) return `\`${one}\` is more than ${limit}.`;
    if (Number(first) > Number(last)) return `\`${one}\` ends before it begins.`;
    if (Number(step) === 0) return `\`${one}\` never goes on: the number after \`/\` must be at least 1.`;
  }
  return undefined;
}

/** When a job runs: a calendar event, which the plan checks as PVE reads it. */
export const schedule = string({ check: faultOfSchedule });
