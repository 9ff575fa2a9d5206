import type { Report } from "./report.ts";

type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
  /** `_sum` or `_count` of a summary. */
  readonly suffix?: string;
}

interface Family {
  readonly name: string;
  readonly type: "gauge" | "summary";
  readonly help: string;
  samples(report: Report): readonly Sample[];
}

const prefix = "proxmox_terraform";

interface Times {
  readonly count: number;
  readonly total: number;
  readonly p50: number;
  readonly p95: number;
}

function summary(labels: Labels, { count, total, p50, p95 }: Times): Sample[] {
  return [
    { labels: { ...labels, quantile: "0.5" }, value: p50 / 1_000 },
    { labels: { ...labels, quantile: "0.95" }, value: p95 / 1_000 },
    { labels, value: total / 1_000, suffix: "_sum" },
    { labels, value: count, suffix: "_count" },
  ];
}

/** The metrics of one run: gauges, because the next run starts again. */
const families: readonly Family[] = [
  {
    name: "run_start_timestamp_seconds",
    type: "gauge",
    help: "When the run began, in Unix time.",
    samples: ({ run }) => [{ labels: {}, value: run.startedAt / 1_000 }],
  },
  {
    name: "run_duration_seconds",
    type: "gauge",
    help: "From the first step to the end of the last.",
    samples: ({ figures }) => [{ labels: {}, value: figures.wallMs / 1_000 }],
  },
  {
    name: "step_duration_seconds",
    type: "summary",
    help: "What steps took, without the steps within them.",
    samples: ({ figures }) => figures.steps.flatMap((times) => summary({ step: times.step }, times)),
  },
  {
    name: "step_failures",
    type: "gauge",
    help: "Steps that failed.",
    samples: ({ figures }) => figures.steps.map(({ step, failures }) => ({ labels: { step }, value: failures })),
  },
  {
    name: "object_duration_seconds",
    type: "gauge",
    help: "From an object's first step to the end of its last.",
    samples: ({ chart }) =>
      chart.rows.map(({ resource, name, vmid, start, end }) => ({
        labels: { resource, name, ...(vmid !== undefined && { vmid }) },
        value: (end - start) / 1_000,
      })),
  },
  {
    name: "api_call_duration_seconds",
    type: "summary",
    help: "What API calls took.",
    samples: ({ figures }) =>
      figures.endpoints.flatMap((times) => summary({ method: times.method, path: times.path }, times)),
  },
  {
    name: "api_calls",
    type: "gauge",
    help: "API calls by HTTP status; 0 without a response.",
    samples: ({ figures }) =>
      figures.endpoints.flatMap(({ method, path, statuses }) =>
        Object.entries(statuses).map(([status, value]) => ({ labels: { method, path, status }, value })),
      ),
  },
  {
    name: "retries",
    type: "gauge",
    help: "Repeated attempts, after a lock or without a response.",
    samples: ({ figures }) => [{ labels: {}, value: figures.retries }],
  },
  {
    name: "lock_wait_seconds",
    type: "gauge",
    help: "Time spent waiting for locks.",
    samples: ({ figures }) => [{ labels: {}, value: figures.lockWaitMs / 1_000 }],
  },
];

/** Prometheus' text format, for the text-file collector of a node exporter. */
export function renderProm(reports: readonly Report[], { isAll }: { isAll: boolean }): string {
  const lines = families.flatMap(({ name, type, help, samples }) => [
    `# HELP ${prefix}_${name} ${help}`,
    `# TYPE ${prefix}_${name} ${type}`,
    ...reports.flatMap((report) =>
      samples(report).map(({ labels, value, suffix = "" }) => {
        const all = isAll ? { run: report.run.number, ...labels } : labels;
        return `${prefix}_${name}${suffix}${labelText(all)} ${Number(value.toFixed(6))}`;
      }),
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").toWellFormed();
