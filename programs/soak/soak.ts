import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Simulator, startSimulator } from "#simulator";
import { prepareForRows, seedForRows } from "../../test/contract/crud/bench.ts";
import { AttachableProvider, Core } from "../../test/harness/index.ts";
import {
  containerImage,
  containerLife,
  kinds,
  type Life,
  objectLife,
  prepareFor,
  type Renew,
  vmLife,
} from "./lives.ts";
import { reporting, takeVitals, type Vitals } from "./vitals.ts";

export interface Soaked {
  readonly samples: readonly Vitals[];
  readonly operations: number;
  readonly seconds: number;
}

/** Connections of sessions that have ended close after four seconds. */
const restMs = 5_000;

/**
 * One provider process, and so many operations on every kind of resource; its figures are recorded throughout. The provider is a
 * bundle for Node, which reports on itself, or an executable, of which only memory and sockets are visible.
 */
export async function soak(provider: string, operations: number): Promise<Soaked> {
  const [guests, objects] = await Promise.all([
    startSimulator({ speed: 2000, seed: seedForGuests() }),
    startSimulator({ speed: 2000, seed: seedForRows() }),
  ]);
  const renew: Renew = (core, kind) => {
    objects.reset();
    prepareForRows(objects.sim.world);
    prepareFor(kind, objects.sim.world);
    return core.configure(settingsOf(objects));
  };
  // What runs side by side: VMs with what belongs to them, containers, and all other objects one after the other.
  const lanes: readonly Lane[] = [
    { life: vmLife, cluster: guests },
    { life: containerLife, cluster: guests },
    { life: objectLife(renew), cluster: objects },
    { life: vmLife, cluster: guests },
  ];
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
    const rounds = lanes.map(() => 0);
    const every = Math.max(150, Math.floor(operations / 20));
    for (let next = every; done < operations; next += every) {
      const run = async ({ life, cluster }: Lane, lane: number) => {
        const core = cores[lane] as Core;
        // As each Terraform command does; the data of the session before must be released with it.
        await core.configure(settingsOf(cluster));
        while (done < next) {
          const round = rounds[lane] ?? 0;
          rounds[lane] = round + 1;
          done += await life(core, `soak-${lane}`, round);
        }
      };
      await Promise.all(lanes.map(run));
      await sleep(restMs);
      const seen = rounds[lanes.findIndex(({ cluster }) => cluster === objects)] ?? 0;
      samples.push(await takeVitals(pid, reports, { operations: done, kinds: Math.min(seen, kinds.length) }));
    }
    return { samples, operations: done, seconds: (performance.now() - begun) / 1_000 };
  } finally {
    attachable.stop();
    await Promise.all([guests.close(), objects.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Lane {
  readonly life: Life;
  readonly cluster: Simulator;
}

/** Some objects are reserved for that user with its password. */
const settingsOf = ({ url, caCertificate }: Simulator) => ({
  endpoint: url,
  ca_certificate: caCertificate,
  username: "root@pam",
  password: "proxmox",
});

/** A cluster with all that the lives of guests use. */
const seedForGuests = (): object => ({
  ...seedForRows(),
  container_templates: [{ volid: containerImage, node: "pve1", size: "100M" }],
});
