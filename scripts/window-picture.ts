/**
 * `npm run picture:window`: the simulator's page in a browser while five VMs are cloned and started, by day and by night.
 * Writes docs/images/simulator-light.png and simulator-dark.png. Needs a chromium on PATH.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startSimulator } from "#simulator";
import { openPage } from "./browser-page.ts";

const images = join(import.meta.dirname, "../docs/images");
const simulator = await startSimulator({ speed: 10 });
const page = await openPage(`${simulator.url}/simulator/`, { width: 1280, height: 920 });

async function call(method: string, path: string, form?: Record<string, string>): Promise<string> {
  const headers = { Authorization: `PVEAPIToken=${simulator.tokens["terraform@pve!tf"]}` };
  const init = form === undefined ? { method, headers } : { method, headers, body: new URLSearchParams(form) };
  const answer = await simulator.fetch(new Request(`${simulator.url}/api2/json${path}`, init));
  return String(((await answer.json()) as { data: unknown }).data);
}

const finished = async (upid: string) => {
  while (simulator.sim.workers.isRunning(upid)) await sleep(20);
};

try {
  await call("GET", "/cluster/resources?type=vm");
  for (let number = 1; number <= 3; number++) {
    const vmid = String(400 + number);
    await finished(
      await call("POST", "/nodes/pve1/qemu/9001/clone", {
        newid: vmid,
        name: `manager-${number}`,
        target: `pve${number}`,
      }),
    );
    await call("PUT", `/nodes/pve${number}/qemu/${vmid}/config`, { cores: "4", memory: "8192" });
    await finished(await call("POST", `/nodes/pve${number}/qemu/${vmid}/status/start`));
  }
  simulator.faults.order({ do: "slow", task: "qmclone", seconds: 60, times: 0 });
  await call("GET", "/nodes/pve1/qemu/404/config");
  for (const number of [4, 5]) {
    await call("POST", "/nodes/pve1/qemu/9000/clone", {
      newid: String(400 + number),
      name: `manager-${number}`,
      full: "1",
    });
  }
  await sleep(1000);
  for (const scheme of ["light", "dark"] as const) {
    await page.colorScheme(scheme);
    writeFileSync(join(images, `simulator-${scheme}.png`), await page.picture());
  }
} finally {
  await page.close();
  await simulator.close();
}
