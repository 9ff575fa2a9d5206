import type { Endpoint } from "../core/kernel/endpoint.ts";
import type { Failure } from "../core/kernel/failure.ts";
import type { Properties } from "../core/schema/schema.ts";
import { checkParameters } from "../core/schema/validate.ts";
import { SeedError } from "./read-seed.ts";
import { type Seed, storageFigures } from "./seed-schema.ts";

/** Keys of a guest that only PVE itself writes. */
const internalKeys = /^(?:meta|parent|snaptime|vmstate|runningcpu|runningmachine|running-nets-host-mtu|unused\d+)$/;

type Fields = Readonly<Record<string, unknown>>;

/** A configuration must be one that the API would accept; the parameters of its calls define that. */
export function checkSeed(seed: Seed, endpoints: readonly Endpoint[]): void {
  const parametersOf = (call: string): Properties =>
    endpoints.find(({ method, path }) => `${method} ${path}` === call)?.parameters ?? {};
  const check = (call: string, list: readonly Fields[] | undefined, place: string, ours: readonly string[] = []) => {
    for (const [index, fields] of (list ?? []).entries()) {
      checkFields(parametersOf(call), fields, `${place}[${index}]`, (key) => ours.includes(key));
    }
  };
  for (const [index, { type = "qemu", config }] of (seed.guests ?? []).entries()) {
    const parameters = parametersOf(`PUT /nodes/{node}/${type}/{vmid}/config`);
    checkFields(parameters, config, `guests[${index}].config`, (key) => internalKeys.test(key));
  }
  check("POST /storage", seed.storages, "storages", [...storageFigures, "content", "nodes"]);
  check("POST /cluster/ha/resources", seed.ha_resources, "ha_resources", ["note"]);
  check("POST /cluster/backup", seed.backup_jobs, "backup_jobs", ["note"]);
  check("POST /cluster/replication", seed.replication_jobs, "replication_jobs", ["note"]);
  check("POST /cluster/qemu/custom-cpu-models", seed.custom_cpu_models, "custom_cpu_models", ["note"]);
  for (const type of ["pci", "usb", "dir"] as const) {
    check(`POST /cluster/mapping/${type}`, seed.mappings?.[type], `mappings.${type}`, ["note"]);
  }
  const zones = seed.sdn?.zones?.filter(({ zone }) => zone !== "localnetwork");
  check("POST /cluster/sdn/zones", zones, "sdn.zones", ["note", "status", "bridges"]);
  check("POST /cluster/sdn/vnets", seed.sdn?.vnets, "sdn.vnets", ["note"]);
  check("POST /cluster/sdn/vnets/{vnet}/subnets", seed.sdn?.subnets, "sdn.subnets", ["note"]);
  check("POST /cluster/sdn/controllers", seed.sdn?.controllers, "sdn.controllers", ["note"]);
}

function checkFields(parameters: Properties, fields: Fields, place: string, isOurs: (key: string) => boolean): void {
  for (const [key, value] of Object.entries(fields)) {
    if (isOurs(key) || value === undefined) {
      continue;
    }
    const schema = parameters[key];
    if (schema === undefined) {
      throw new SeedError(`${place}.${key}`, "there is no such option");
    }
    try {
      checkParameters({ [key]: schema }, { [key]: value });
    } catch (thrown) {
      const text = Object.values((thrown as Failure).errors ?? {})[0] ?? String(thrown);
      throw new SeedError(`${place}.${key}`, text.trim().replaceAll("\n", " "));
    }
  }
}
