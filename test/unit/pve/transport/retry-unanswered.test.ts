import { expect, it } from "vitest";
import { PveError } from "../../../../src/pve/errors.ts";
import { silentLogger } from "../../../../src/pve/logger.ts";
import type { Answer, Call } from "../../../../src/pve/transport/call.ts";
import { connectionFailure, responseTimeout } from "../../../../src/pve/transport/connection-failures.ts";
import { retryUnanswered } from "../../../../src/pve/transport/retry-unanswered.ts";

const read: Call = {
  method: "GET",
  template: "/version",
  path: "/version",
  parameters: {},
  headers: {},
  isRepeatable: true,
};
const write: Call = { ...read, method: "POST", template: "/pools", path: "/pools", isRepeatable: false };
const lost = (call: Call, wasSent: boolean, code = "ECONNRESET") =>
  connectionFailure(Object.assign(new Error("it failed"), { code }), call, "https://pve1:8006", wasSent);
const limited = (retryAfterMs: number) => new PveError("unreachable", "fewer requests", { status: 429, retryAfterMs });

/** How often a call is sent that always fails like this. */
async function timesSent(call: Call, failure: PveError): Promise<number> {
  let times = 0;
  const send = retryUnanswered((): Promise<Answer> => {
    times++;
    return Promise.reject(failure);
  }, silentLogger);
  await expect(send(call)).rejects.toBe(failure);
  return times;
}

const cases: readonly [what: string, call: Call, failure: PveError, times: number][] = [
  ["a read that was lost", read, lost(read, true), 3],
  ["a read without an answer", read, responseTimeout(read, "https://pve1:8006", 1000, true), 3],
  ["a write that was never sent", write, lost(write, false), 3],
  ["a write that may have been made", write, lost(write, true), 1],
  ["a write without an answer", write, responseTimeout(write, "https://pve1:8006", 1000, true), 1],
  ["a call to a server with another certificate", read, lost(read, false, "ERR_PIN_MISMATCH"), 1],
  ["a call that lacks a privilege", read, new PveError("permission", "no", { status: 403 }), 1],
  ["a call whose object is locked", read, new PveError("locked", "got timeout"), 1],
  ["a call to a server that limits requests", read, limited(1), 5],
  ["a call to a server that asks for minutes", read, limited(600_000), 1],
];

it("what got no answer is sent again where that does no harm", async () => {
  // The waits are real, so all wait together.
  const sent = await Promise.all(cases.map(async ([what, call, failure]) => [what, await timesSent(call, failure)]));
  expect(Object.fromEntries(sent)).toEqual(Object.fromEntries(cases.map(([what, , , times]) => [what, times])));
});
