import { duration } from "../../log/line.ts";
import { ticksOf } from "./axis.ts";
import type { Bar, Chart, Mark, Row } from "./chart.ts";
import { escapeXml, shorten } from "./escape.ts";
import { chartStyle, classOf, inOrder } from "./theme.ts";

const width = 1040;
const head = 34;
const rowHeight = 26;
const barHeight = 16;
const margin = 12;
const totalWidth = 74;
const longestName = 28;
const legendHeight = 22;
/** Width of a letter of the chart's font, rather too large than too small: it cannot be measured here. */
const letter = { name: 7.2, inside: 6.3, legend: 6.4 };

/** Positions, in the units of the picture. */
interface Scale {
  readonly left: number;
  readonly right: number;
  x(moment: number): number;
}

/** The run as a Gantt chart. A stand-alone chart contains its colours; one inside a page does not. */
export function renderSvg(chart: Chart, { isEmbedded = false } = {}): string {
  const { rows } = chart;
  const scale = scaleOf(chart);
  const legend = legendOf(rows, head + rows.length * rowHeight + 14);
  const height = legend.bottom + 10;
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Steps of ${rows.length} objects over time">`,
    isEmbedded ? "" : `<style>${chartStyle}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...rows.map((_, index) => (index % 2 === 0 ? stripe(index) : "")),
    ...axis(chart, scale),
    ...rows.flatMap((row, index) => rowLines(row, head + index * rowHeight, chart.start, scale)),
    ...legend.lines,
    "</svg>",
    "",
  ]
    .filter((line, index, all) => line !== "" || index === all.length - 1)
    .join("\n");
}

function scaleOf({ rows, start, end }: Chart): Scale {
  const longest = Math.max(4, ...rows.map(({ name }) => Math.min(longestName, [...name].length)));
  const digits = Math.max(0, ...rows.map(({ vmid }) => (vmid === undefined ? 0 : String(vmid).length)));
  const left = Math.ceil(margin + longest * letter.name + (digits > 0 ? digits * letter.name + 14 : 0) + 10);
  const right = width - totalWidth;
  const span = Math.max(1, end - start);
  return { left, right, x: (moment) => left + ((moment - start) / span) * (right - left) };
}

const stripe = (index: number): string =>
  `<rect class="stripe" x="0" y="${head + index * rowHeight}" width="${width}" height="${rowHeight}"/>`;

function axis({ rows, start, end }: Chart, { x }: Scale): string[] {
  const bottom = head + rows.length * rowHeight;
  return ticksOf(end - start).flatMap(({ ms, label }) => {
    const at = round(x(start + ms));
    return [
      `<line class="grid" x1="${at}" y1="${head - 6}" x2="${at}" y2="${bottom}"/>`,
      `<text class="muted small" x="${at}" y="${head - 12}" text-anchor="middle">${label}</text>`,
    ];
  });
}

function rowLines(row: Row, top: number, origin: number, scale: Scale): string[] {
  const { name, vmid, bars, marks, start, end } = row;
  const base = top + rowHeight / 2 + 4;
  const id = vmid === undefined ? "" : text(String(vmid), scale.left - 12, base, "muted small", "end");
  return [
    `<g><title>${escapeXml(name)}</title>${text(shorten(name, longestName), margin, base, "", "start")}</g>`,
    id,
    ...bars.map((bar) => barLine(bar, row, top, origin, scale)),
    ...marks.map((mark) => markLine(mark, top, scale)),
    text(duration(end - start), width - margin, base, "small", "end"),
  ];
}

function barLine(bar: Bar, row: Row, top: number, origin: number, { x }: Scale): string {
  const { step, start, end, outcome, depth, task, error } = bar;
  const left = x(start);
  const wide = Math.max(2, x(end) - left);
  const y = top + (rowHeight - barHeight) / 2;
  const state = outcome === "ok" ? "" : ` ${outcome}`;
  const said = [
    `${row.name}: ${step}, ${outcome === "unfinished" ? "not finished after " : ""}${duration(end - start)}`,
    `begins after ${duration(start - origin)}`,
    ...(outcome === "failed" ? [`failed: ${error ?? "?"}`] : []),
    ...(task === undefined ? [] : [task]),
  ].join("\n");
  const shape = `<rect class="${classOf(step)}${state}" x="${round(left)}" y="${y}" width="${round(wide)}" height="${barHeight}" rx="${depth === 0 ? 3 : 1}"/>`;
  return `<g><title>${escapeXml(said)}</title>${shape}${caption(bar, row, y, x)}${outcome === "failed" ? cross(left + wide, y) : ""}</g>`;
}

/** The name of the step in the widest uncovered part of its bar, if it fits there. */
function caption(bar: Bar, { bars, marks }: Row, y: number, x: Scale["x"]): string {
  const covers = [
    ...bars.filter((other) => other.depth > bar.depth && other.start < bar.end && other.end > bar.start),
    ...marks.map(({ start, ms }) => ({ start, end: start + ms })),
  ];
  const edges = [bar.start, ...covers.flatMap(({ start, end }) => [start, end]), bar.end].sort((a, b) => a - b);
  const gaps = edges.flatMap((from, index) => {
    const to = edges[index + 1];
    const isFree =
      to !== undefined && from >= bar.start && to <= bar.end && !covers.some((c) => c.start < to && c.end > from);
    return isFree ? [{ left: x(from), wide: x(to) - x(from) }] : [];
  });
  const [widest] = gaps.sort((one, other) => other.wide - one.wide);
  const needed = bar.step.length * letter.inside + 10;
  if (widest === undefined || widest.wide < needed) return "";
  return text(bar.step, widest.left + widest.wide / 2, y + barHeight - 4.5, "inside", "middle");
}

function cross(at: number, y: number): string {
  const [left, right, top, bottom] = [at + 4, at + 12, y + 4, y + 12].map(round);
  return `<path class="cross" d="M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}"/>`;
}

function markLine({ kind, start, ms, text: said }: Mark, top: number, { x }: Scale): string {
  const left = x(start);
  const y = top + (rowHeight - barHeight) / 2;
  const shape =
    kind === "lock_wait"
      ? `<rect class="lock" x="${round(left)}" y="${y + 3}" width="${round(Math.max(3, x(start + ms) - left))}" height="${barHeight - 6}" rx="2"/>`
      : `<path class="retry" d="M${round(left - 4)} ${y - 4}h8l-4 6z"/>`;
  return `<g><title>${escapeXml(said)}</title>${shape}</g>`;
}

/** The legend of the colours and marks in use, in as many lines as needed. */
function legendOf(rows: readonly Row[], top: number): { lines: string[]; bottom: number } {
  const bars = rows.flatMap((row) => row.bars);
  const marks = rows.flatMap((row) => row.marks);
  const has = (kind: Mark["kind"]) => marks.some((mark) => mark.kind === kind);
  const entries: [shape: (x: number, y: number) => string, label: string][] = [
    ...inOrder(bars.map(({ step }) => step)).map((step): [(x: number, y: number) => string, string] => [
      (x, y) => `<rect class="${classOf(step)}" x="${x}" y="${y}" width="12" height="12" rx="2"/>`,
      step,
    ]),
    ...(has("lock_wait") ? [[lockKey, "waits for a lock"] as [typeof lockKey, string]] : []),
    ...(has("retry") ? [[retryKey, "sent again"] as [typeof retryKey, string]] : []),
  ];
  let x = margin;
  let y = top;
  const lines = entries.map(([shape, label]) => {
    const wide = 18 + [...label].length * letter.legend + 16;
    if (x + wide > width - margin) {
      x = margin;
      y += legendHeight;
    }
    const line = `${shape(x, y)}${text(label, x + 18, y + 10.5, "small", "start")}`;
    x = round(x + wide);
    return line;
  });
  return { lines, bottom: y + legendHeight };
}

const lockKey = (x: number, y: number): string =>
  `<rect class="lock" x="${x}" y="${y + 1}" width="12" height="10" rx="2"/>`;
const retryKey = (x: number, y: number): string => `<path class="retry" d="M${x + 2} ${y + 3}h8l-4 6z"/>`;

function text(content: string, x: number, y: number, className: string, anchor: "start" | "middle" | "end"): string {
  const look = className === "" ? "" : ` class="${className}"`;
  const side = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text${look} x="${round(x)}" y="${round(y)}"${side}>${escapeXml(content)}</text>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
