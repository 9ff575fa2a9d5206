import { describe, expect, it } from "vitest";
import { PveError } from "../../../../src/pve/errors.ts";
import { silentLogger } from "../../../../src/pve/logger.ts";
import type { Answer, Call } from "../../../../src/pve/transport/call.ts";
import { connectionFailure, responseTimeout } from "../../../../src/pve/transport/connection-failures.ts";
import { failOver, Membership } from "../../../../src/pve/transport/fail-over.ts";

const answer: Answer = { status: 200, reason: "OK", headers: {}, body: Buffer.alloc(0) };
const read: Call = {
  method: "GET",
  template: "/version",
  path: "/version",
  parameters: {},
  headers: {},
  isRepeatable: true,
};
const write: Call = { ...read, method: "POST", template: "/pools", path: "/pools", isRepeatable: false };

const sameCluster = () => new Membership(async () => "a1", true);

/** Two hosts; the first one fails as long as there is a failure. */
function twoHosts(failure: PveError | null) {
  const asked: string[] = [];
  const state = { failure };
  const host = (origin: string, isFirst: boolean) => ({
    origin,
    send: (): Promise<Answer> => {
      asked.push(origin);
      return isFirst && state.failure !== null ? Promise.reject(state.failure) : Promise.resolve(answer);
    },
  });
  return { asked, state, send: failOver([host("first", true), host("second", false)], silentLogger, sameCluster()) };
}

const failureOf = (code: string, call = read, wasSent = false): PveError =>
  connectionFailure(Object.assign(new Error("it failed"), { code }), call, "https://pve1:8006", wasSent);

describe("another host", () => {
  it.each([
    "ERR_PIN_MISMATCH",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "CERT_REVOKED",
  ])("is not asked after a certificate was refused (%s)", async (code) => {
    const { asked, send } = twoHosts(failureOf(code));
    await expect(send(read)).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringMatching(/certificate/),
    });
    expect(asked).toEqual(["first"]);
  });

  it.each([
    ["a refused connection", failureOf("ECONNREFUSED"), write],
    ["a connection that was lost before a write was sent", failureOf("ECONNRESET", write), write],
    ["a connection that was lost after a read was sent", failureOf("ECONNRESET", read, true), read],
    ["a read without an answer", responseTimeout(read, "https://pve1:8006", 1000, true), read],
  ])("is asked after %s, and stays the one that is used", async (_, failure, call) => {
    const { asked, send } = twoHosts(failure);
    await send(call);
    await send(call);
    expect(asked).toEqual(["first", "second", "second"]);
  });

  it.each([
    ["a write that may have been made", failureOf("ECONNRESET", write, true)],
    ["a write without an answer", responseTimeout(write, "https://pve1:8006", 1000, true)],
    ["a refusal", new PveError("permission", "Permission check failed", { status: 403 })],
    ["a proxy that cannot reach its node", new PveError("unreachable", "No route to host", { status: 595 })],
  ])("is not asked after %s", async (_, failure) => {
    const { asked, send } = twoHosts(failure);
    await expect(send(write)).rejects.toBe(failure);
    expect(asked).toEqual(["first"]);
  });

  it("that fails too is in the message", async () => {
    const failing = (origin: string) => ({ origin, send: () => Promise.reject(new PveError("unreachable", origin)) });
    const send = failOver([failing("first"), failing("second")], silentLogger, sameCluster());
    await expect(send(read)).rejects.toThrow("first; second");
  });
});
