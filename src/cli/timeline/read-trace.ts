import { parseEvent, type TraceEvent } from "./trace-event.ts";

/** An event on the clock of its run. */
export interface PlacedEvent extends TraceEvent {
  /** Wall clock in Unix milliseconds, free of whatever was done to the clock meanwhile. */
  readonly start: number;
}

/** What one command of Terraform's has left in the trace, over all the processes it started. */
export interface Run {
  /** Counted from 1 in the order they began. */
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
    // Terraform also starts a provider just to ask for its schema.
    .filter((placedEvents) => placedEvents.some(({ event }) => event !== "process"))
    .map((placedEvents) => ({ startedAt: Math.min(...placedEvents.map(({ start }) => start)), events: placedEvents }))
    .sort((one, other) => one.startedAt - other.startedAt)
    .map((run, index) => ({ number: index + 1, ...run }));
  return { runs, broken: events.filter((event) => event === null).length };
}

/** Within a process the monotonic clock counts, from the wall clock at its first event on. */
function placed(events: readonly TraceEvent[]): PlacedEvent[] {
  const firsts = new Map<number, TraceEvent>();
  for (const event of events) if (!firsts.has(event.pid)) firsts.set(event.pid, event);
  return events.map((event) => {
    const { at, mono } = firsts.get(event.pid) ?? event;
    return { ...event, start: at + event.mono - mono };
  });
}
