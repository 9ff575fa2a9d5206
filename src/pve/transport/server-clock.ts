import { PveError } from "../errors.ts";
import type { Send } from "./call.ts";

/** The server's clock, from its `Date` headers: task ids contain its time, not that of this machine. */
export interface ServerClock {
  observe(send: Send): Send;
  /** Unix seconds. */
  now(): number;
}

export function createServerClock(): ServerClock {
  let aheadMs = 0;
  const now = () => Math.floor((Date.now() + aheadMs) / 1000);
  return {
    observe: (send) => async (call) => {
      const sentAt = now();
      try {
        const answer = await send(call);
        const stamped = Date.parse(String(answer.headers["date"] ?? ""));
        aheadMs = Number.isNaN(stamped) ? aheadMs : stamped - Date.now();
        return answer;
      } catch (reason) {
        throw reason instanceof PveError && reason.mayHaveHappened ? reason.with({ sentAt }) : reason;
      }
    },
    now,
  };
}
