import * as z from "zod";
import type { Api, CallOptions } from "../api.ts";
import { createTotp } from "../auth/totp.ts";
import type { Parameters } from "../transport/call.ts";
import { apiObject, flag, integer, nothing, text } from "../wire.ts";

const factor = apiObject(() => ({
  id: z.string(),
  type: z.string(),
  description: text.optional(),
  /** Unix seconds. */
  created: integer.optional(),
  enable: flag.default(true),
}));

export type SecondFactor = z.infer<typeof factor>;

const added = apiObject(() => ({ id: z.string(), recovery: z.array(z.string()).optional() }));

/** What goes with every change: the caller's own password, which everyone but root@pam must give. */
export interface TfaCaller {
  readonly password?: string | undefined;
}

export interface NewTotp extends TfaCaller {
  /** Base32, or an `otpauth://` address. */
  readonly secret: string;
  readonly description: string;
}

const path = "/access/tfa/{userid}/{id}";

/** Second factors of a user (pve-access-control: src/PVE/API2/TFA.pm). No token may change them. */
export function tfaCalls(api: Api, conceal: (secret: string) => void, now: () => number) {
  const add = (userid: string, given: Parameters, options?: CallOptions) =>
    api.post("/access/tfa/{userid}", { ...given, userid }, added, options);
  return {
    list: (userid: string, options?: CallOptions): Promise<SecondFactor[]> =>
      api.get("/access/tfa/{userid}", { userid }, z.array(factor), options),

    /** The ID of the entry. PVE wants the current code, as proof that the secret is of use. */
    addTotp: async (userid: string, { secret, description, password }: NewTotp, options?: CallOptions) => {
      const value = createTotp(secret).at(now() * 1000).code;
      const totp = addressOf(secret, userid);
      conceal(value);
      return (await add(userid, { type: "totp", description, totp, value, password }, options)).id;
    },

    /** The keys, which PVE shows once. */
    addRecovery: async (userid: string, { password }: TfaCaller, options?: CallOptions) => {
      const { recovery = [] } = await add(userid, { type: "recovery", password }, options);
      recovery.forEach(conceal);
      return recovery;
    },

    update: (
      userid: string,
      id: string,
      change: TfaCaller & { readonly description?: string; readonly enable?: boolean },
      options?: CallOptions,
    ) => api.put(path, { ...change, userid, id }, nothing, { ...options, isRepeatable: true }),

    remove: (userid: string, id: string, { password }: TfaCaller, options?: CallOptions) =>
      api.delete(path, { userid, id, password }, nothing, { ...options, isRepeatable: true }),
  };
}

/** The form that PVE takes, and that authenticator apps show as a QR code. */
function addressOf(secret: string, user: string): string {
  if (secret.startsWith("otpauth://")) return secret;
  const base32 = secret.replace(/[\s=-]/g, "").toUpperCase();
  return `otpauth://totp/${encodeURIComponent(user)}?secret=${base32}&period=30&digits=6&algorithm=SHA1&issuer=${encodeURIComponent("Proxmox VE")}`;
}
