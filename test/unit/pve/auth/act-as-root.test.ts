import { describe, expect, it } from "vitest";
import { actAsRoot } from "../../../../src/pve/auth/act-as-root.ts";
import { PveError } from "../../../../src/pve/errors.ts";
import { silentLogger } from "../../../../src/pve/logger.ts";
import type { Answer, Call } from "../../../../src/pve/transport/call.ts";

const answer: Answer = { status: 200, reason: "OK", headers: {}, body: Buffer.alloc(0) };
const change: Call = {
  method: "PUT",
  template: "/nodes/{node}/qemu/{vmid}/config",
  path: "/nodes/pve1/qemu/401/config",
  parameters: {},
  headers: {},
  isRepeatable: false,
};
const reserved = new PveError("permission", "only root can set 'args' config", { status: 500 });

/** Who sent the call, in order. The token is refused with that reason. */
async function sendersOf(call: Call, refusal?: Error): Promise<string[]> {
  const senders: string[] = [];
  const asToken = (): Promise<Answer> => {
    senders.push("token");
    return refusal === undefined ? Promise.resolve(answer) : Promise.reject(refusal);
  };
  const asRoot = (): Promise<Answer> => {
    senders.push("root@pam");
    return Promise.resolve(answer);
  };
  const sent = actAsRoot(asToken, asRoot, silentLogger)(call);
  await sent.catch((reason: unknown) => expect(reason).toBe(refusal));
  return senders;
}

describe("with a ticket of root@pam beside the token", () => {
  it.each([
    ["only root can set 'args' config", "permission"],
    ["mount point type bind is only allowed for root@pam", "permission"],
    ["user != root@pam", "invalid"],
  ] as const)("a call that PVE reserves for that user is sent again: %s", async (message, kind) => {
    expect(await sendersOf(change, new PveError(kind, message))).toEqual(["token", "root@pam"]);
  });

  it.each([
    ["a missing privilege", new PveError("permission", "Permission check failed (/vms/401, VM.Config.CPU)")],
    ["a missing privilege without a path", new PveError("permission", "Permission check failed")],
    ["a refused token", new PveError("auth", "only root can set 'args' config")],
    ["a parameter that is wrong", new PveError("invalid", "Parameter verification failed.")],
    ["a failed task", new PveError("task", "only root can set 'args' config")],
    ["a lost connection", new PveError("unreachable", "https://pve1: the connection was reset")],
  ])("%s stays what the token gets", async (_, refusal) => {
    expect(await sendersOf(change, refusal)).toEqual(["token"]);
  });

  it("an upload is not sent twice: its file was read", async () => {
    const upload = { fileName: "a.iso", size: 0, open: () => expect.fail("it was read again") };
    expect(await sendersOf({ ...change, upload }, reserved)).toEqual(["token"]);
  });

  it("nothing is sent as that user that the token may do", async () => {
    expect(await sendersOf(change)).toEqual(["token"]);
  });

  it.each([
    ["root@pam's task is read as that user", "GET", "root%40pam", ["root@pam"]],
    ["another user's task is read with the token", "GET", "terraform%40pve%21tf", ["token"]],
    ["a task is stopped with the token", "DELETE", "root%40pam", ["token"]],
  ] as const)("%s", async (_, method, owner, senders) => {
    const upid = `UPID%3Apve1%3A0001%3A0002%3A0003%3Aqmstart%3A401%3A${owner}%3A`;
    const template = "/nodes/{node}/tasks/{upid}/status";
    expect(await sendersOf({ ...change, method, template, path: `/nodes/pve1/tasks/${upid}/status` })).toEqual(senders);
  });
});
