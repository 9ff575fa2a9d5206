import { createSemaphore } from "../semaphore.ts";
import type { Send } from "./call.ts";

/** So many requests at a time; the rest waits here, where waiting does not count as the server's silence. */
export function limitConcurrency(send: Send, limit: number): Send {
  const slots = createSemaphore(limit);
  return (call) => slots.run(() => send(call), call.signal);
}
