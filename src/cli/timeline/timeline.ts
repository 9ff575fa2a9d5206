import { readFileSync, writeFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { parseArgs } from "node:util";
import { renderHtml } from "./html.ts";
import { renderProm } from "./prom.ts";
import { type Run, readTrace, type Trace } from "./read-trace.ts";
import { reportOn } from "./report.ts";
import { renderSvg } from "./svg.ts";
import { renderText } from "./text.ts";

const formats = ["html", "svg", "prom", "text"] as const;

type Format = (typeof formats)[number];

const usage = `Usage: timeline TRACE [options]

Shows where the time of an apply went. TRACE is the file that PROXMOX_TRACE_PATH named while Terraform ran:

  PROXMOX_TRACE_PATH=run.jsonl terraform apply
  terraform-provider-proxmox timeline run.jsonl

  -o, --output FILE   Write there; - is standard output. By default, a page goes to run.html,
                      everything else to standard output.
  --format FORMAT     html: one self-contained page with a chart and tables (default)
                      svg: the chart alone
                      prom: metrics for Prometheus' text-file collector
                      text: the tables for a terminal
  --run N             The Nth run in the file; default: the latest.
  --all               Every run.
`;

interface CommandContext {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Invalid arguments; the message gives the reason. */
class UsageError extends Error {}

/** `timeline`: turns a trace into a report. Resolves to the exit code. */
export async function run(args: string[], { stdout, stderr }: CommandContext = process): Promise<number> {
  try {
    const asked = readArguments(args);
    if (asked === null) {
      stdout.write(usage);
      return 0;
    }
    const trace = readTrace(readText(asked.path));
    const text = render(asked, trace, chosen(asked, trace));
    if (asked.output === "-") stdout.write(text);
    else {
      writeText(asked.output, text);
      stderr.write(
        `wrote ${asked.output}${trace.broken > 0 ? `; ${trace.broken} lines of the trace could not be read` : ""}\n`,
      );
    }
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    stderr.write(`${thrown.message}\n`);
    return 2;
  }
}

interface Asked {
  readonly path: string;
  readonly output: string;
  readonly format: Format;
  readonly run: number | undefined;
  readonly isAll: boolean;
}

function readArguments(args: string[]): Asked | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError("timeline takes one trace; see --help.");
  const format = formatOf(values.format, values.output);
  const run = values.run === undefined ? undefined : Number(values.run);
  if (run !== undefined && !(Number.isInteger(run) && run > 0)) {
    throw new UsageError(`--run must be a whole number from 1 on, not ${JSON.stringify(values.run)}.`);
  }
  if (run !== undefined && values.all) throw new UsageError("--run and --all contradict each other.");
  if (values.all && format === "svg") throw new UsageError("A chart shows one run; choose it with --run.");
  const withoutExtension = path.slice(0, path.length - extname(path).length);
  return {
    path,
    format,
    run,
    isAll: values.all ?? false,
    output: values.output ?? (format === "html" ? `${withoutExtension}.html` : "-"),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: "string", short: "o" },
        format: { type: "string" },
        run: { type: "string" },
        all: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (thrown) {
    throw new UsageError(`${(thrown as Error).message.split(".", 1)[0]}; --help lists the options.`);
  }
}

/** The given format, or the one of the output's file extension. */
function formatOf(given: string | undefined, output: string | undefined): Format {
  const ending = extname(output ?? "").slice(1);
  const byName = ending === "txt" ? "text" : formats.find((format) => format === ending);
  if (given === undefined) return byName ?? "html";
  const format = formats.find((one) => one === given);
  if (format === undefined) {
    throw new UsageError(`--format can be ${formats.join(", ")}, not ${JSON.stringify(given)}.`);
  }
  return format;
}

function chosen({ run, isAll, path }: Asked, { runs, broken }: Trace): readonly Run[] {
  const last = runs.at(-1);
  if (last === undefined) {
    const why = broken > 0 ? `none of its ${broken} lines is an event` : "it is empty, or Terraform changed nothing";
    throw new UsageError(`${path} contains no run: ${why}.`);
  }
  if (isAll) return runs;
  const wanted = run === undefined ? last : runs[run - 1];
  if (wanted === undefined)
    throw new UsageError(`Run ${run} does not exist in ${path}, which contains ${runs.length}.`);
  return [wanted];
}

function render({ path, format, isAll }: Asked, trace: Trace, runs: readonly Run[]): string {
  const reports = runs.map((run) => reportOn(run, trace));
  const { broken } = trace;
  switch (format) {
    case "html":
      return renderHtml(reports, { broken, source: basename(path) });
    case "svg":
      return reports.map(({ chart }) => renderSvg(chart)).join("");
    case "prom":
      return renderProm(reports, { isAll });
    case "text":
      return renderText(reports, { broken });
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw new UsageError(`The trace ${path} cannot be read: ${(thrown as NodeJS.ErrnoException).code}.`);
  }
}

function writeText(path: string, text: string): void {
  try {
    // A trace names the objects of a cluster; a file that exists keeps its mode.
    writeFileSync(path, text, { mode: 0o600 });
  } catch (thrown) {
    throw new UsageError(`${path} cannot be written: ${(thrown as NodeJS.ErrnoException).code}.`);
  }
}
