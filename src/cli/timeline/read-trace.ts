import { parseEvent, type TraceEvent } from "./trace-event.ts";

/** An event on the clock of its run. */
export interface PlacedEvent extends TraceEvent {
  /** Wall clock in Unix milliseconds, independent of changes to the clock during the run. */
  readonly start: number;
}

/** The events of one Terraform command, from all processes that it started. */
export interface Run {
  /** Counted from 1 in order of their start. */
  readonly number: number;
  readonly startedAt: number;
  readonly events: readonly PlacedEvent[];
}

export interface Trace {
  readonly runs: readonly Run[];
  /** Lines that could not be read: a process may be killed in the middle of one. */
  readonly broken: number;
}

export function readTrace(text: string): Trace {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const events = lines.map(parseEvent);
  const byRun = Map.groupBy(
    events.filter((event) => event !== null),
    ({ run }) => run,
  );
  const runs = [...byRun.values()]
    .map(placed)
    // Terraform also starts a provider only to read its schema.
    .filter((placedEvents) => placedEvents.some(({ event }) => event !== "process"))
    .map((placedEvents) => ({ startedAt: Math.min(...placedEvents.map(({ start }) => start)), events: placedEvents }))
    .sort((one, other) => one.startedAt - other.startedAt)
    .map((run, index) => ({ number: index + 1, ...run }));
  return { runs, broken: events.filter((event) => event === null).length };
}

/** Within a process the monotonic clock counts, starting with the wall clock at its first event. */
function placed(events: readonly TraceEvent[]): PlacedEvent[] {
  const firsts = new Map<number, TraceEvent>();
  for (const event of events) if (!firsts.has(event.pid)) firsts.set(event.pid, event);
  return events.map((event) => {
    const { at, mono } = firsts.get(event.pid) ?? event;
    return { ...event, start: at + event.mono - mono };
  });
}
