import type { PlacedEvent, Run } from "./read-trace.ts";

/** A period of time of one object. */
export interface Bar {
  readonly step: string;
  readonly start: number;
  readonly end: number;
  /** `unfinished`: its end is not in the trace. */
  readonly outcome: "ok" | "failed" | "unfinished";
  /** Its duration without the steps inside it. */
  readonly ownMs: number;
  /** 0, or 1 for a step within another. */
  readonly depth: 0 | 1;
  readonly task?: string;
  readonly error?: string;
}

/** An event with a mark: a wait for a lock, or a repeated request. */
export interface Mark {
  readonly kind: "lock_wait" | "retry";
  readonly start: number;
  readonly ms: number;
  readonly text: string;
}

/** All events of one object, most often a VM. */
export interface Row {
  /** `proxmox_vm` */
  readonly resource: string;
  readonly name: string;
  readonly vmid: number | undefined;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
  readonly start: number;
  readonly end: number;
}

/** A run laid out in time; everything in Unix milliseconds. */
export interface Chart {
  readonly rows: readonly Row[];
  readonly start: number;
  readonly end: number;
}

/** Lays out the steps of a run; the reads, if nothing was changed. */
export function chartOf({ events, startedAt }: Run): Chart {
  const hasSteps = events.some(({ event }) => event === "step" || event === "begin");
  const shown = hasSteps ? events : events.map(readAsStep);
  const lastMoment = Math.max(...events.map(({ start, ms = 0 }) => start + ms));
  const groups = Map.groupBy(
    shown.filter(({ name }) => name !== undefined),
    ({ name, resource }) => JSON.stringify([resource, name]),
  );
  const rows = [...groups.values()]
    .map((own) => rowOf(own, lastMoment))
    .filter(({ bars }) => bars.length > 0)
    .sort((one, other) => one.start - other.start || one.name.localeCompare(other.name));
  return {
    rows,
    start: rows.length === 0 ? startedAt : Math.min(...rows.map(({ start }) => start)),
    end: rows.length === 0 ? lastMoment : Math.max(...rows.map(({ end }) => end)),
  };
}

const readAsStep = (event: PlacedEvent): PlacedEvent =>
  event.event === "operation" ? { ...event, event: "step", step: event.operation ?? "?" } : event;

function rowOf(events: readonly PlacedEvent[], lastMoment: number): Row {
  const ended = events.filter(({ event }) => event === "step").map(barOf);
  const bars = nest([...ended, ...unfinished(events, lastMoment)]);
  const marks = events.flatMap(markOf);
  const [first] = events;
  return {
    resource: first?.resource ?? "",
    name: first?.name ?? "?",
    vmid: events.find(({ vmid }) => vmid !== undefined)?.vmid,
    bars,
    marks,
    start: Math.min(...bars.map(({ start }) => start)),
    end: Math.max(...bars.map(({ end }) => end)),
  };
}

function barOf({ step = "?", start, ms = 0, outcome, task, error }: PlacedEvent): Bar {
  return {
    step,
    start,
    end: start + ms,
    outcome: outcome === "failed" ? "failed" : "ok",
    ownMs: ms,
    depth: 0,
    ...(task !== undefined && { task }),
    ...(error !== undefined && { error }),
  };
}

/** Beginnings without an end: the process was killed, or still runs. */
function unfinished(events: readonly PlacedEvent[], lastMoment: number): Bar[] {
  const open = new Map<string, PlacedEvent[]>();
  for (const event of events) {
    const key = `${event.pid} ${event.step}`;
    if (event.event === "begin") open.set(key, [...(open.get(key) ?? []), event]);
    if (event.event === "step") open.get(key)?.shift();
  }
  return [...open.values()].flat().map(({ step = "?", start }) => {
    const end = Math.max(start, lastMoment);
    return { step, start, end, outcome: "unfinished", ownMs: end - start, depth: 0 };
  });
}

/** Clocks are read a moment after the event. */
const slackMs = 3;

/** Steps of one object follow each other, or lie within each other: queueing is a part of cloning. */
function nest(bars: readonly Bar[]): Bar[] {
  const isWithin = (inner: Bar, outer: Bar) =>
    inner !== outer &&
    inner.start >= outer.start - slackMs &&
    inner.end <= outer.end + slackMs &&
    inner.end - inner.start < outer.end - outer.start;
  return bars
    .map((bar): Bar => {
      const inner = bars.filter((other) => isWithin(other, bar));
      const within = inner.reduce((sum, { start, end }) => sum + end - start, 0);
      const depth = bars.some((other) => isWithin(bar, other)) ? 1 : 0;
      return { ...bar, depth, ownMs: Math.max(0, bar.ownMs - within) };
    })
    .sort((one, other) => one.depth - other.depth || one.start - other.start);
}

function markOf({ event, start, ms = 0, attempt, error = "" }: PlacedEvent): Mark[] {
  if (event !== "lock_wait" && event !== "retry") return [];
  const text = event === "lock_wait" ? "waits for a lock" : "sends a request again";
  return [{ kind: event, start, ms, text: `${text}, attempt ${attempt ?? "?"}: ${error}` }];
}
