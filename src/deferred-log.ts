import type { Level, Log } from "./log.ts";

/** A log whose lines wait until it is loaded. */
export interface DeferredLog extends Log {
  /** Resolves when every line so far is written. */
  written(): Promise<void>;
}

interface Deferred {
  load(): Promise<Log>;
  /** Whether a line of this level has a reader. The writer is not loaded for other levels. */
  takes(level: Level): boolean;
}

/** Costs nothing before the first line that has a reader: only then is the writer imported. */
export function deferLog({ load, takes }: Deferred): DeferredLog {
  let log: Log | undefined;
  let loading: Promise<void> | undefined;
  const waiting: ((log: Log) => void)[] = [];
  // The same secrets arrive with call after call, and a run may end without a line that loads the log.
  const secrets = new Set<string>();
  const open = () => {
    loading ??= load().then((loaded) => {
      log = loaded;
      for (const secret of secrets) loaded.hide(secret);
      secrets.clear();
      for (const write of waiting.splice(0)) write(loaded);
    });
  };
  const use = (write: (log: Log) => void) => {
    if (log) write(log);
    else waiting.push(write);
  };
  const line =
    (level: Level) =>
    (message: string, fields?: object): void => {
      if (!takes(level)) return;
      open();
      use((to) => to[level](message, fields));
    };
  return {
    written: async () => loading,
    error: line("error"),
    warn: line("warn"),
    info: line("info"),
    debug: line("debug"),
    hide: (secret) => void (log ? log.hide(secret) : secrets.add(secret)),
  };
}
