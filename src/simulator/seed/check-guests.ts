import type { Endpoint } from "../kernel/endpoint.ts";
import type { Failure } from "../kernel/failure.ts";
import { checkParameters } from "../schema/validate.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed } from "./seed-schema.ts";

/** Keys PVE writes itself and takes from nobody. */
const internalKeys = /^(?:meta|parent|snaptime|vmstate|runningcpu|runningmachine|running-nets-host-mtu|unused\d+)$/;

/** Each option of each guest must be one the API would take; the parameters of the update call say what that is. */
export function checkGuests(seed: Seed, endpoints: readonly Endpoint[]): void {
  for (const [index, guest] of (seed.guests ?? []).entries()) {
    const path = `/nodes/{node}/${guest.type ?? "qemu"}/{vmid}/config`;
    const parameters = endpoints.find((endpoint) => endpoint.method === "PUT" && endpoint.path === path)?.parameters;
    for (const [key, value] of Object.entries(guest.config)) {
      const schema = parameters?.[key];
      if (parameters === undefined || internalKeys.test(key)) {
        continue;
      }
      const place = `guests[${index}].config.${key}`;
      if (schema === undefined) {
        throw new SeedError(place, "there is no such option");
      }
      try {
        checkParameters({ [key]: schema }, { [key]: value });
      } catch (thrown) {
        throw new SeedError(place, ((thrown as Failure).errors?.[key] ?? String(thrown)).trim().replaceAll("\n", " "));
      }
    }
  }
}
