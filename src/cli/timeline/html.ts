import { createHash } from "node:crypto";
import { duration } from "../../log/line.ts";
import { escapeXml } from "./escape.ts";
import type { Figures } from "./figures.ts";
import type { Report } from "./report.ts";
import { renderSvg } from "./svg.ts";
import { chartStyle, classOf, pageStyle } from "./theme.ts";

const style = `${chartStyle}\n${pageStyle}`;
const styleHash = createHash("sha256").update(style).digest("base64");
/**
 * Nothing is loaded and nothing runs; the one style sheet is allowed by its hash, and an empty icon prevents a request
 * for one.
 */
const policy = `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/** One self-contained page: no scripts, no network, light or dark as the reader prefers. */
export function renderHtml(reports: readonly Report[], { broken, source }: { broken: number; source: string }): string {
  const title = `Timeline of ${source}`;
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeXml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${escapeXml(title)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<main>",
    ...reports.flatMap(section),
    footer(broken),
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function section({ run, runs, chart, figures }: Report): string[] {
  const began = new Date(run.startedAt).toISOString().replace("T", " ").slice(0, 19);
  const which = runs === 1 ? "" : `, run ${run.number} of ${runs}`;
  return [
    "<h1>Where the time went</h1>",
    `<p class="note">Began ${began} UTC${which}</p>`,
    facts(figures),
    chart.rows.length === 0
      ? '<p class="note">No object was changed or read in this run.</p>'
      : `<div class="chart">${renderSvg(chart, { isEmbedded: true })}</div>`,
    ...stepTable(figures),
    ...slowestTable(figures),
    ...endpointTable(figures),
  ];
}

function facts(figures: Figures): string {
  const { failures, unfinished, lockWaits, lockWaitMs, retries, refusedCalls } = figures;
  const items: [value: string, label: string, isBad: boolean][] = [
    [duration(figures.wallMs), "first step to last", false],
    [String(figures.objects), figures.objects === 1 ? "object" : "objects", false],
    [String(figures.calls), "API calls", false],
    [String(refusedCalls), "calls refused", false],
    [String(retries), "retries", false],
    [lockWaits === 0 ? "none" : duration(lockWaitMs), "waited for locks", false],
    [String(failures), "steps failed", failures > 0],
    ...(unfinished > 0 ? [[String(unfinished), "steps unfinished", true] as [string, string, boolean]] : []),
  ];
  const cells = items.map(
    ([value, label, isBad]) => `<li${isBad ? ' class="bad"' : ""}><b>${value}</b><span>${label}</span></li>`,
  );
  return `<ul class="facts">${cells.join("")}</ul>`;
}

function stepTable({ steps }: Figures): string[] {
  if (steps.length === 0) return [];
  const rows = steps.map(({ step, count, total, p50, p95, max, share, failures }) =>
    row([
      `${key(step)}${escapeXml(step)}`,
      String(count),
      duration(total),
      `${(share * 100).toFixed(0)} %`,
      duration(p50),
      duration(p95),
      duration(max),
      failures === 0 ? "" : `<span class="bad">${failures}</span>`,
    ]),
  );
  return ["<h2>By step</h2>", table(["step", "count", "total", "share", "p50", "p95", "max", "failed"], rows)];
}

/** As a picture: style attributes would need a policy that allows all of them. */
const key = (step: string): string =>
  `<svg class="key" width="10" height="10"><rect class="${classOf(step)}" width="10" height="10" rx="2"/></svg>`;

function slowestTable({ slowest }: Figures): string[] {
  if (slowest.length === 0) return [];
  const rows = slowest.map(({ name, vmid, step, ownMs, task, outcome, error }) =>
    row(
      [
        escapeXml(name),
        vmid === undefined ? "" : String(vmid),
        `${key(step)}${escapeXml(step)}`,
        duration(ownMs),
        outcome === "ok" ? "" : `<span class="bad">${outcome}</span>`,
        escapeXml(error ?? task ?? ""),
      ],
      { left: [2, 4], wrap: [0, 5] },
    ),
  );
  const heads = ["object", "VMID", "step", "took", "", "task or error"];
  return ["<h2>Slowest steps</h2>", table(heads, rows, [2, 4, 5])];
}

function endpointTable({ endpoints }: Figures): string[] {
  if (endpoints.length === 0) return [];
  const rows = endpoints.map(({ method, path, count, total, p50, p95, max, statuses }) =>
    row([
      `<code>${escapeXml(`${method} ${path}`)}</code>`,
      String(count),
      duration(total),
      duration(p50),
      duration(p95),
      duration(max),
      escapeXml(problems(statuses)),
    ]),
  );
  const heads = ["endpoint", "calls", "total", "p50", "p95", "max", "not 2xx"];
  return ["<h2>API calls by endpoint</h2>", table(heads, rows)];
}

const problems = (statuses: Readonly<Record<number, number>>): string =>
  Object.entries(statuses)
    .filter(([status]) => !/^2\d\d$/.test(status))
    .map(([status, count]) => `${count} × ${status === "0" ? "no answer" : status}`)
    .join(", ");

function table(heads: readonly string[], rows: readonly string[], left: readonly number[] = []): string {
  const cells = heads.map((head, index) => `<th${left.includes(index) ? ' class="left"' : ""}>${head}</th>`);
  return `<div class="scroll"><table><thead><tr>${cells.join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function row(cells: readonly string[], { left = [] as number[], wrap = [] as number[] } = {}): string {
  const look = (index: number) =>
    wrap.includes(index) ? ' class="left wrap"' : left.includes(index) ? ' class="left"' : "";
  return `<tr>${cells.map((cell, index) => `<td${look(index)}>${cell}</td>`).join("")}</tr>`;
}

function footer(broken: number): string {
  const lost = broken === 0 ? "" : ` ${broken} ${broken === 1 ? "line" : "lines"} of the trace could not be read.`;
  return `<footer>Times of steps do not count the steps within them; steps of several objects overlap.${lost}</footer>`;
}
