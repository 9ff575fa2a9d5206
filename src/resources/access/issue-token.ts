import { alreadyExists, createOnce, type Logger, type PathLike, type Session } from "#kit";
import type { TokenId, TokenValues } from "#pve";

/** `ann@pve!ci` */
export const tokenText = ({ user, name }: TokenId): string => `${user}!${name}`;

export const tokenExists = (id: TokenId) =>
  alreadyExists({
    type: "proxmox_token",
    id: tokenText(id),
    label: `Token "${tokenText(id)}"`,
    otherwise: "Its secret cannot be shown again: `rotate` makes another. Otherwise choose another `name`.",
  });

interface Issue {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly id: TokenId;
  readonly given: TokenValues;
  readonly path: PathLike;
}

/**
 * Makes a token and returns its secret, which PVE shows once. If the answer is lost, there is a token without a known
 * secret of: it is taken away again, and another made.
 */
export async function issueToken({ api, log, signal, id, given, path }: Issue): Promise<string> {
  const { tokens } = api.access;
  let secret: string | undefined;
  const make = async () => {
    secret = await tokens.create(id, given, { signal });
  };
  const find = () => tokens.find(id, { signal });
  const isAnswered = await createOnce({ api, signal, find, make, exists: tokenExists(id), path });
  if (!isAnswered) {
    log.warn("the secret of a new token was lost on its way, so another is made", { token: tokenText(id) });
    await tokens.remove(id, { signal });
    await make();
  }
  return secret ?? "";
}
