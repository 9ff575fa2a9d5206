import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderProm } from "../../../../src/cli/timeline/prom.ts";
import { readTrace } from "../../../../src/cli/timeline/read-trace.ts";
import { reportOn } from "../../../../src/cli/timeline/report.ts";

const recorded = readFileSync(join(import.meta.dirname, "five-vms.jsonl"), "utf8");

function promOf(text: string, isAll = false): string {
  const trace = readTrace(text);
  return renderProm(
    trace.runs.map((run) => reportOn(run, trace)),
    { isAll },
  );
}

/** Prometheus' text format 0.0.4, as far as it is used here; the collector ignores files that violate it. */
function parse(text: string): Map<string, number> {
  expect(text.endsWith("\n")).toBe(true);
  const series = new Map<string, number>();
  let family = { name: "", type: "" };
  const families = new Set<string>();
  for (const line of text.slice(0, -1).split("\n")) {
    const [, help] = /^# HELP (\S+) .+$/.exec(line) ?? [];
    const [, typed, type] = /^# TYPE (\S+) (gauge|summary)$/.exec(line) ?? [];
    if (help !== undefined) {
      expect(families.has(help), `${help} comes once`).toBe(false);
      families.add(help);
      family = { name: help, type: "" };
    } else if (typed !== undefined && type !== undefined) {
      expect(typed).toBe(family.name);
      family = { name: typed, type };
    } else {
      const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? (-?\d+(?:\.\d+)?)$/.exec(line);
      expect(sample, line).not.toBeNull();
      const [, name = "", labels = "", value] = sample ?? [];
      const suffixes = family.type === "summary" ? ["", "_sum", "_count"] : [""];
      expect(suffixes.map((suffix) => family.name + suffix)).toContain(name);
      expect(series.has(name + labels), `${name}${labels} comes once`).toBe(false);
      series.set(name + labels, Number(value));
    }
  }
  return series;
}

describe("metrics", () => {
  test("of the recorded run follow the format, and agree with the tables", () => {
    const series = parse(promOf(recorded));
    expect(series.get("proxmox_terraform_run_duration_seconds")).toBeCloseTo(49.88, 2);
    expect(series.get('proxmox_terraform_step_duration_seconds_count{step="clone"}')).toBe(5);
    expect(series.get('proxmox_terraform_step_duration_seconds{step="clone",quantile="0.95"}')).toBe(19.399);
    expect(series.get("proxmox_terraform_retries")).toBe(2);
    expect(series.get("proxmox_terraform_lock_wait_seconds")).toBe(5);
    expect(series.get('proxmox_terraform_api_calls{method="GET",path="/nodes/{node}/tasks",status="200"}')).toBe(148);
    expect(
      series.get('proxmox_terraform_object_duration_seconds{resource="proxmox_vm",name="nprd-apps-1",vmid="404"}'),
    ).toBeCloseTo(28.3, 1);
  });

  test("of all runs are distinguished by their number", () => {
    const again = recorded.replaceAll("1000-five-vms", "another");
    const series = parse(promOf(recorded + again, true));
    expect(series.get('proxmox_terraform_retries{run="2"}')).toBe(2);
  });

  test("follow the format with any VM name", () => {
    const event = { v: 1, run: "1", pid: 1, at: "2026-01-01T00:00:00.000Z", mono: 1, event: "step", ms: 1_000 };
    const names = ['a"b\\c\nd', "{} # HELP", "ü\ud800"];
    const text = names.map((name) => JSON.stringify({ ...event, name, step: name })).join("\n");
    expect([...parse(promOf(text)).keys()]).toContain(
      'proxmox_terraform_step_duration_seconds_count{step="a\\"b\\\\c\\nd"}',
    );
  });
});
