import { PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Send } from "./call.ts";

/**
 * A debug line per HTTP exchange, with its duration and status. Neither headers nor parameters: those contain secrets.
 */
export function logCalls(send: Send, logger: Logger, endpoint: string): Send {
  return async (call) => {
    const started = performance.now();
    const fields = (outcome: Record<string, unknown>) => ({
      event: "call",
      method: call.method,
      path: call.path,
      template: call.template,
      endpoint,
      ...outcome,
      duration_ms: Math.round(performance.now() - started),
    });
    try {
      const answer = await send(call);
      logger.debug(
        "API call",
        fields({ status: answer.status, ...(answer.status >= 400 && { reason: answer.reason }) }),
      );
      return answer;
    } catch (reason) {
      logger.debug("API call failed", fields({ error: PveError.from(reason).message }));
      throw reason;
    }
  };
}
