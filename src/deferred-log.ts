import type { Level, Log } from "./log.ts";

/** A log whose lines wait for it to be loaded. */
export interface DeferredLog extends Log {
  /** Loads it; resolves when every line so far is written. */
  ready(): Promise<void>;
}

/**
 * Costs the start nothing: who writes log lines is imported once Terraform has its handshake, or with the first line that
 * cannot wait for that.
 */
export function deferLog(load: () => Promise<Log>): DeferredLog {
  let log: Log | undefined;
  let loading: Promise<void> | undefined;
  const waiting: ((log: Log) => void)[] = [];
  const ready = () => {
    loading ??= load().then((loaded) => {
      log = loaded;
      for (const write of waiting.splice(0)) write(loaded);
    });
    return loading;
  };
  const use = (write: (log: Log) => void) => {
    if (log) write(log);
    else {
      waiting.push(write);
      void ready();
    }
  };
  const line =
    (level: Level) =>
    (message: string, fields?: object): void =>
      use((to) => to[level](message, fields));
  return {
    ready,
    error: line("error"),
    warn: line("warn"),
    info: line("info"),
    debug: line("debug"),
    hide: (secret) => use((to) => to.hide(secret)),
  };
}
