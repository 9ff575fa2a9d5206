import { plainLine } from "../../../text/plain-text.ts";
import { aligned } from "../../aligned.ts";
import type { Change, Missing, Unknown } from "./compare.ts";
import type { Report } from "./compatibility.ts";

/** Longer lists are cut: `--json` has all of them. */
const mostLines = 20;
const longest = 160;

/** The comparison as a person reads it. */
export function showComparison(report: Report): string {
  const { missing, demanded, changed, unknown, goneFrom, types } = report;
  const parts = [
    section("Missing on this host:", missing.map(missingRow)),
    section(
      "Required by this host, and not sent by this provider:",
      demanded.map((one) => ["✘", nameOf(one)]),
    ),
    section("Different on this host:", changed.map(changeRow)),
    section(
      "Privileges that this host does not have, and that are not asked for:",
      goneFrom.map((one) => ["!", one]),
    ),
    section(
      "Unknown to this provider, and left alone:",
      unknown.map((one) => ["+", nameOf(one)]),
    ),
  ];
  const host = report.host === undefined ? "The API description" : `Proxmox VE ${report.host}`;
  const subject = `${host} and this provider, which knows ${report.known}`;
  const heading = `${subject}: ${types === 1 ? "1 resource type" : `${types} resource types`} compared.\n`;
  return `${[heading, ...parts.filter((part) => part !== ""), verdict(report)].join("\n")}\n`;
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const shown = rows.slice(0, mostLines).map((row) => row.map((cell) => plainLine(cell).slice(0, longest)));
  const more = rows.length > mostLines ? `\n  ${rows.length - mostLines} more; --json lists them.` : "";
  return `${title}\n${aligned(shown)}${more}\n`;
}

function missingRow({ type, attribute, value, calls, isNeeded, since }: Missing): string[] {
  const name = attribute === undefined ? type : `${type}.${attribute}${value === undefined ? "" : ` = "${value}"`}`;
  const [first = "", ...others] = calls;
  const where = attribute === undefined ? `${first}${others.length > 0 ? ` and ${others.length} more calls` : ""}` : "";
  const reason = since === undefined ? "" : `Proxmox VE has it since ${since}`;
  return [isNeeded ? "✘" : "!", name, [reason, where].filter(Boolean).join(": ")];
}

const changeRow = ({ call, parameter, what, known, host }: Change): string[] => [
  "!",
  nameOf({ call, ...(parameter !== undefined && { parameter }) }),
  what === "values" ? `does not accept ${known}` : `${what}: ${host}, known: ${known}`,
];

function nameOf({ call, parameter, value }: Unknown): string {
  const at = parameter === undefined ? call : `${call} ${parameter}`;
  return value === undefined ? at : `${at} = "${value}"`;
}

function verdict({ isCompatible, missing, demanded }: Report): string {
  const count = missing.filter(({ isNeeded }) => isNeeded).length + demanded.length;
  if (!isCompatible) return count === 1 ? "Not compatible: 1 problem." : `Not compatible: ${count} problems.`;
  return missing.length > 0 ? "Compatible, without the attributes in lines with an exclamation mark." : "Compatible.";
}
