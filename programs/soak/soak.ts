import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "#simulator";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import { Core, type Instance, launch, type ManagedResource } from "../../test/harness/index.ts";
import { reporting, takeVitals, type Vitals } from "./vitals.ts";

export interface Soaked {
  readonly samples: readonly Vitals[];
  readonly operations: number;
  readonly seconds: number;
}

/**
 * One provider process, and so many operations of every kind; its figures are recorded throughout. The provider is a bundle for
 * Node, which reports on itself, or an executable, of which only memory and sockets are visible.
 */
export async function soak(provider: string, operations: number, lanes = 4): Promise<Soaked> {
  const simulator = await startSimulator({ speed: 2000 });
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const env = { PROXMOX_VE_TASK_POLL_INTERVAL: "10ms", PROXMOX_LOG_LEVEL: "error" };
  const reports = provider.endsWith(".mjs") ? folder : null;
  const command = reports === null ? [provider] : [process.execPath, ...reporting(reports), provider];
  const launched = await launch(command, { client: clientCertificate(), env });
  const pid = launched.process.pid ?? 0;
  const samples: Vitals[] = [];
  let done = 0;
  const begun = performance.now();
  try {
    const core = await Core.connect(launched.wire);
    const { url, tokens, caCertificate } = simulator;
    const vm = core.resource("proxmox_vm");
    const every = Math.max(50, Math.floor(operations / 25));
    for (let next = every; done < operations; next += every) {
      // As each Terraform command does; the data of the session before must be released with it.
      await core.configure({ endpoint: url, ca_certificate: caCertificate, api_token: tokens["root@pam!admin"] ?? "" });
      const lane = async (name: string) => {
        while (done < next) done += await lifeOf(vm, name);
      };
      await Promise.all(Array.from({ length: lanes }, (_, index) => lane(`soak-${index}`)));
      samples.push(await takeVitals(pid, reports, done));
    }
    return { samples, operations: done, seconds: (performance.now() - begun) / 1_000 };
  } finally {
    launched.process.kill("SIGKILL");
    launched.wire.close();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A whole life cycle from nothing to nothing; returns the number of operations. */
async function lifeOf(vm: ManagedResource, name: string): Promise<number> {
  // Lanes plan and apply beside each other in one process, where a second plan of a name is one of another VM.
  const life = { power: "stopped", allow_duplicate_name: true };
  const config = { ...life, name, clone: { template: "debian-13-cloud" }, cpu: { cores: 2 } };
  const plan = await vm.plan(null, config);
  let instance: Instance = await vm.apply(plan, config);
  for (const cores of [3, 4]) {
    const next = { ...config, cpu: { cores } };
    for (let look = 0; look < 4; look++) {
      await vm.validate(next);
      instance = await vm.refresh(instance);
      await vm.plan(instance, next);
    }
    instance = await vm.apply(await vm.plan(instance, next), next);
  }
  await vm.destroy(instance);
  return 30;
}
