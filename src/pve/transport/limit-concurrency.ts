import { createSemaphore } from "../semaphore.ts";
import type { Send } from "./call.ts";

/** Limits the requests in flight; the rest waits here, where the wait does not count towards the server's timeout. */
export function limitConcurrency(send: Send, limit: number): Send {
  const slots = createSemaphore(limit);
  return (call) => slots.run(() => send(call), call.signal);
}
