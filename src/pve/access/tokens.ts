import * as z from "zod";
import type { Api, CallOptions } from "../api.ts";
import type { OwnCredentials } from "../auth/own-credentials.ts";
import { orNull } from "../errors.ts";
import type { Parameters } from "../transport/call.ts";
import { apiObject, flag, integer, nothing, text } from "../wire.ts";

const token = apiObject(() => ({
  /** Unix seconds; 0 is never. */
  expire: integer.default(0),
  privsep: flag.default(true),
  comment: text.optional(),
}));

const issued = apiObject(() => ({ value: z.string() }));

export type Token = z.infer<typeof token>;

export interface TokenValues extends Parameters {
  readonly expire?: number;
  readonly privsep?: boolean;
  readonly comment?: string;
}

/** `user@realm` and the name after the `!`. */
export interface TokenId {
  readonly user: string;
  readonly name: string;
}

const path = "/access/users/{userid}/token/{tokenid}";
const placed = ({ user, name }: TokenId) => ({ userid: user, tokenid: name });

/** Tokens of a user (pve-access-control: src/PVE/API2/User.pm). */
export function tokenCalls(api: Api, conceal: (secret: string) => void, own: OwnCredentials) {
  /** PVE returns a secret once, to the caller that created it. */
  const keep = ({ value }: z.infer<typeof issued>): string => {
    conceal(value);
    return value;
  };
  return {
    find: (id: TokenId, options?: CallOptions) => orNull(api.get(path, placed(id), token, options)),
    /** The secret. */
    create: async (id: TokenId, given: TokenValues, options?: CallOptions): Promise<string> =>
      keep(await api.post(path, { ...given, ...placed(id) }, issued, options)),
    /** An empty comment removes it. */
    update: (id: TokenId, change: TokenValues, options?: CallOptions) =>
      api.put(path, { ...change, ...placed(id) }, nothing, { ...options, isRepeatable: true }),
    /**
     * Creates a new secret; the old one stops working. If the response is lost, so is the secret, and another one is
     * created; the caller's own token is not able to.
     */
    regenerate: (id: TokenId, options?: CallOptions): Promise<string> => {
      const change = async () =>
        keep(await api.put(path, { ...placed(id), regenerate: true }, issued, { ...options, isRepeatable: true }));
      return own.changing(`${id.user}!${id.name}`, change, (secret) => secret);
    },
    /** Its entries in the ACL are removed with it. */
    remove: (id: TokenId, options?: CallOptions) =>
      orNull(api.delete(path, placed(id), nothing, { ...options, isRepeatable: true })),
  };
}
