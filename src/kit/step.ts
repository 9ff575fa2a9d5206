import type { Logger } from "#framework";

/** Runs one step of an operation and says how long it took, or how far it came. */
export async function step<T>(log: Logger, name: string, fields: object, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const duration = () => ({ ...fields, duration_ms: Math.round(performance.now() - started) });
  log.debug(`${name}: begins`, fields);
  try {
    const result = await work();
    log.info(`${name}: done`, duration());
    return result;
  } catch (reason) {
    log.warn(`${name}: failed`, { ...duration(), error: reason instanceof Error ? reason.message : String(reason) });
    throw reason;
  }
}
