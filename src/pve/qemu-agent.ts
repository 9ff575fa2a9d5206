import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { PveError } from "./errors.ts";
import { at, type GuestAddress } from "./qemu.ts";
import { apiObject, flag, integer, nothing, number } from "./wire.ts";

const networkInterface = apiObject(() => ({
  name: z.string(),
  "hardware-address": z.string().optional(),
  "ip-addresses": z
    .array(z.looseObject({ "ip-address": z.string(), "ip-address-type": z.string(), prefix: integer.optional() }))
    .optional(),
}));

/** Each output is already decoded. The agent truncates long ones. */
const execStatus = apiObject(() => ({
  exited: flag,
  exitcode: integer.optional(),
  signal: integer.optional(),
  "out-data": z.string().optional(),
  "err-data": z.string().optional(),
  "out-truncated": flag.optional(),
  "err-truncated": flag.optional(),
}));

const trimmed = apiObject(() => ({
  paths: z
    .array(z.looseObject({ path: z.string(), trimmed: number.optional(), error: z.string().optional() }))
    .optional(),
}));

export type GuestProgramStatus = z.infer<typeof execStatus>;

export type GuestInterface = z.infer<typeof networkInterface>;

/** The agent reports its own refusal as a success with `error` in place of a result. */
const refusal = apiObject(() => ({ error: z.looseObject({ class: z.string().optional(), desc: z.string() }) }));

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

    /** Starts a program and returns its process id: its status has to be asked for. */
    exec: async (
      vm: GuestAddress,
      { command, input }: { readonly command: readonly string[]; readonly input?: string | null },
      options?: CallOptions,
    ): Promise<number> => {
      const request = { command: { each: command }, ...(input && { "input-data": input }), ...at(vm) };
      const started = z.looseObject({ pid: integer });
      return (await api.post("/nodes/{node}/qemu/{vmid}/agent/exec", request, started, options)).pid;
    },

    /** The agent forgets a program whose end it has reported. */
    execStatus: (vm: GuestAddress, pid: number, options?: CallOptions): Promise<GuestProgramStatus> =>
      api.get("/nodes/{node}/qemu/{vmid}/agent/exec-status", { pid, ...at(vm) }, execStatus, options),

    /** Replaces the file. PVE encodes text itself, but only characters up to U+00FF; `encode: false` takes base64. */
    writeFile: async (
      vm: GuestAddress,
      request: { readonly file: string; readonly content: string; readonly encode: boolean },
      options?: CallOptions,
    ): Promise<void> => {
      await api.post("/nodes/{node}/qemu/{vmid}/agent/file-write", { ...request, ...at(vm) }, nothing, options);
    },

    setPassword: async (
      vm: GuestAddress,
      request: { readonly username: string; readonly password: string; readonly crypted?: boolean },
      options?: CallOptions,
    ): Promise<void> => {
      const path = "/nodes/{node}/qemu/{vmid}/agent/set-user-password";
      await result(path, api.post(path, { ...request, ...at(vm) }, answer, options), z.unknown());
    },

    trim: (vm: GuestAddress, options?: CallOptions): Promise<z.infer<typeof trimmed>> => {
      const path = "/nodes/{node}/qemu/{vmid}/agent/fstrim";
      return result(path, api.post(path, at(vm), answer, options), trimmed);
    },
  };
}

export type AgentCalls = ReturnType<typeof agentCalls>;
