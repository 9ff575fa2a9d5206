import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startSimulator } from "#simulator";
import { prepareForRows, seedForRows } from "../../test/contract/crud/bench.ts";
import { AttachableProvider, Core } from "../../test/harness/index.ts";
import { containerImage, containerLife, kinds, type Life, objectLife, vmLife } from "./lives.ts";
import { reporting, takeVitals, type Vitals } from "./vitals.ts";

export interface Soaked {
  readonly samples: readonly Vitals[];
  readonly operations: number;
  readonly seconds: number;
}

/** Connections of sessions that have ended close after four seconds. */
const restMs = 5_000;

/** What runs side by side: VMs with what belongs to them, containers, and all other objects one after the other. */
const lanes: readonly Life[] = [vmLife, containerLife, objectLife, vmLife];

/**
 * One provider process, and so many operations on every kind of resource; its figures are recorded throughout. The provider is a
 * bundle for Node, which reports on itself, or an executable, of which only memory and sockets are visible.
 */
export async function soak(provider: string, operations: number): Promise<Soaked> {
  const simulator = await startSimulator({ speed: 2000, seed: seed() });
  prepareForRows(simulator.sim.world);
  for (const { prepare } of kinds) prepare?.(simulator.sim.world);
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const env = { PROXMOX_VE_TASK_POLL_INTERVAL: "10ms", PROXMOX_LOG_LEVEL: "error" };
  const reports = provider.endsWith(".mjs") ? folder : null;
  const command = reports === null ? [provider] : [process.execPath, ...reporting(reports), provider];
  const attachable = await AttachableProvider.start(command, { env });
  const pid = attachable.process.pid ?? 0;
  const samples: Vitals[] = [];
  let done = 0;
  const begun = performance.now();
  try {
    // As if each lane were a Terraform of its own: in one, nothing is planned while something is applied.
    const cores = await Promise.all(lanes.map(() => Core.connect(attachable.connect().wire)));
    const { url, caCertificate } = simulator;
    // Some objects are reserved for that user with its password.
    const caller = { username: "root@pam", password: "proxmox" };
    const rounds = lanes.map(() => 0);
    const every = Math.max(150, Math.floor(operations / 20));
    for (let next = every; done < operations; next += every) {
      // As each Terraform command does; the data of the session before must be released with it.
      const settings = { endpoint: url, ca_certificate: caCertificate, ...caller };
      await Promise.all(cores.map((core) => core.configure(settings)));
      const run = async (life: Life, lane: number) => {
        const core = cores[lane] as Core;
        while (done < next) {
          const round = rounds[lane] ?? 0;
          rounds[lane] = round + 1;
          done += await life(core, `soak-${lane}`, round);
        }
      };
      await Promise.all(lanes.map(run));
      await sleep(restMs);
      samples.push(await takeVitals(pid, reports, done));
    }
    return { samples, operations: done, seconds: (performance.now() - begun) / 1_000 };
  } finally {
    attachable.stop();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A cluster with all that the lives use. */
const seed = (): object => ({
  ...seedForRows(),
  container_templates: [{ volid: containerImage, node: "pve1", size: "100M" }],
});
