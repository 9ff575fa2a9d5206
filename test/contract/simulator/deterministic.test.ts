import { expect, test } from "vitest";
import { startSimulator } from "../../../src/simulator/simulator.ts";
import { call } from "./client.ts";
import { labSeed } from "./lab.ts";

/** The same work on a simulator of its own; everything drawn by chance in one text. */
async function made(deterministic: string): Promise<unknown> {
  const simulator = await startSimulator({ seed: labSeed, speed: 200, deterministic });
  try {
    const { body } = await call(simulator, "GET", "/cluster/nextid");
    const form = { vmid: String(body.data), net0: "virtio,bridge=vmbr0", scsi0: "thin:1" };
    const created = await call(simulator, "POST", "/nodes/pve1/qemu", { form });
    expect(created.body.message ?? "").toBe("");
    for (let status = ""; status !== "stopped"; ) {
      const upid = encodeURIComponent(String(created.body.data));
      const task = await call(simulator, "GET", `/nodes/pve1/tasks/${upid}/status`);
      status = (task.body.data as { status: string }).status;
    }
    const config = await call(simulator, "GET", `/nodes/pve1/qemu/${body.data}/config`);
    return [created.body.data, config.body.data];
  } finally {
    await simulator.close();
  }
}

test("the same seed gives the same MACs, UUIDs, VMIDs, tasks and times", async () => {
  const [once, again, other] = [await made("a"), await made("a"), await made("b")];
  expect(again).toEqual(once);
  expect(other).not.toEqual(once);
});
