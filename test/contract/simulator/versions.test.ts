import { expect, test } from "vitest";
import { createSimulator, type SimulatedCluster } from "../../../src/simulator/simulator.ts";
import { labSeed } from "./lab.ts";

async function answer(cluster: SimulatedCluster, line: string, body?: string) {
  const [method = "", path] = line.split(" ");
  const headers = { Authorization: `PVEAPIToken=${cluster.tokens["root@pam!admin"]}` };
  const init = body === undefined ? { method, headers } : { method, headers, body: new URLSearchParams(body) };
  const response = await cluster.fetch(new Request(`https://pve/api2/json${path}`, init));
  return { status: response.status, body: (await response.json()) as { data?: unknown; errors?: object } };
}

test.each(["9.0", "9.1", "9.2"] as const)("%s says so, and knows what it has", async (pve) => {
  const cluster = createSimulator({ seed: labSeed, pve, tidy: true });
  const isFirst = pve === "9.0";
  expect((await answer(cluster, "GET /version")).body.data).toMatchObject({ release: pve });
  expect((await answer(cluster, "GET /cluster/bulk-action")).status).toBe(isFirst ? 501 : 200);
  const token = await answer(cluster, "PUT /access/users/auditor@pve/token/tk", "regenerate=1");
  expect(token.status).toBe(isFirst ? 400 : 200);
  cluster.reset();
  expect((await answer(cluster, "GET /version")).body.data).toMatchObject({ release: pve });
  await cluster.close();
});
