import { expect, test } from "vitest";
import { faultOfSchedule } from "../../../src/kit/schedule.ts";

test.each([
  "21:00",
  "mon..fri 22:30",
  "sat,sun 3:00",
  "Monday 4:00",
  "sun..tue",
  "*/30",
  "5/10",
  "*:0/15",
  "8..17:00",
  "2:30:15",
  "*-*-1 02:00",
  "*-*-1..7 02:00",
  "mon *-*-1..7 02:00",
  "12-24",
  "2199-12-31 23:59:59",
  "0..30/10",
  "daily",
  "semi-annually",
  "21:00 UTC",
  "daily UTC",
])("%s is a schedule", (text) => {
  expect(faultOfSchedule(text)).toBeUndefined();
});

test.each([
  ["", "Must be a calendar event"],
  ["every day", "Must be a calendar event"],
  ["0 21 * * *", "It is not a line of cron"],
  ["25:00", "`25` is more than 23"],
  ["21:60", "`60` is more than 59"],
  ["21:00:60", "`60` is more than 59"],
  ["*-13-1", "`13` is more than 12"],
  ["*-*-32", "`32` is more than 31"],
  ["2200-1-1", "`2200` is more than 2199"],
  ["mond 21:00", "Must be a calendar event"],
  ["mon,  21:00", "Must be a calendar event"],
  [" 21:00 ", "Must be a calendar event"],
  ["30..10", "ends before it begins"],
  ["*/0", "must be at least 1"],
  ["*/90", "`*/90` is more than 59"],
  ["*,5:00", "Must be a calendar event"],
  ["9pm", "Must be a calendar event"],
  [`1${",1".repeat(80)}`, "Must be a calendar event"],
])("%j is none: %s", (text, fault) => {
  expect(faultOfSchedule(text)).toContain(fault);
});
