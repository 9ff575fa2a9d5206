import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { PveError } from "./errors.ts";
import { at, type GuestAddress } from "./qemu.ts";
import { integer } from "./wire.ts";

const networkInterface = z.looseObject({
  name: z.string(),
  "hardware-address": z.string().optional(),
  "ip-addresses": z
    .array(z.looseObject({ "ip-address": z.string(), "ip-address-type": z.string(), prefix: integer.optional() }))
    .optional(),
});

export type GuestInterface = z.infer<typeof networkInterface>;

/** The agent reports its own refusal as a success with `error` in place of a result. */
const refusal = z.looseObject({ error: z.looseObject({ class: z.string().optional(), desc: z.string() }) });

/** `/nodes/{node}/qemu/{vmid}/agent` (qemu-server: src/PVE/API2/Qemu/Agent.pm). */
export function agentCalls(api: Api) {
  async function result<S extends z.ZodType>(path: string, answer: Promise<unknown>, schema: S): Promise<z.infer<S>> {
    const { result } = z.looseObject({ result: z.unknown() }).parse(await answer);
    const refused = refusal.safeParse(result);
    if (refused.success) {
      throw new PveError("conflict", `the guest agent refused: ${refused.data.error.desc}`, { path });
    }
    const parsed = schema.safeParse(result);
    if (!parsed.success) {
      const where = (parsed.error.issues[0]?.path ?? []).join(".");
      throw new PveError("malformed", `the guest agent's response is invalid at "result.${where}"`, { path });
    }
    return parsed.data;
  }
  const answer = z.looseObject({ result: z.unknown().optional() });
  return {
    ping: async (vm: GuestAddress, options?: CallOptions): Promise<void> => {
      await api.post("/nodes/{node}/qemu/{vmid}/agent/ping", at(vm), z.unknown(), options);
    },

    listInterfaces: (vm: GuestAddress, options?: CallOptions): Promise<GuestInterface[]> => {
      const path = "/nodes/{node}/qemu/{vmid}/agent/network-get-interfaces";
      return result(path, api.get(path, at(vm), answer, options), z.array(networkInterface));
    },

    getHostName: async (vm: GuestAddress, options?: CallOptions): Promise<string> => {
      const path = "/nodes/{node}/qemu/{vmid}/agent/get-host-name";
      const found = await result(
        path,
        api.get(path, at(vm), answer, options),
        z.looseObject({ "host-name": z.string() }),
      );
      return found["host-name"];
    },
  };
}

export type AgentCalls = ReturnType<typeof agentCalls>;
