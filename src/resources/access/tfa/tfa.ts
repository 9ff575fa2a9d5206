import { awaitReference, defineResource, Failure, oncePerRunFor, provenWrite, type Session, timestamp } from "#kit";
import type { SecondFactor } from "#pve";
import { belowUser } from "../below-user.ts";
import { dropFile, keepKeys, reserveFile } from "./keys-file.ts";
import { noFile, planTfa, planTfaRemoval, recoveryExists } from "./plan-tfa.ts";
import { tfaAttributes } from "./tfa-attributes.ts";

/** All entries of a user, once for a refresh of many. */
const factorsOf = oncePerRunFor((api, user: string) => api.access.tfa.list(user));

/** `proxmox_tfa`. Server side: pve-access-control `src/PVE/API2/TFA.pm`, proxmox-tfa. */
export const tfa = defineResource({
  type: "proxmox_tfa",
  subcategory: "Access",
  doc: "A second factor of a user: codes of an authenticator app, or recovery keys. Other kinds need a person with a device. Proxmox VE lets no token change second factors: the provider needs `username` and `password`, where those of `root@pam` can stand beside a token. No secret is stored in the state.",
  attributes: tfaAttributes,
  identity: ["user", "id"],
  label: ({ user, totp }) =>
    user ? `${totp === null ? "recovery keys" : "second factor"} of ${user}` : "second factor",

  validate({ config, report }) {
    if (config.totp === undefined || config.recovery === undefined) return;
    const given = [config.totp, config.recovery].filter((one) => one !== null).length;
    if (given === 1) return;
    const found = given === 0 ? "none is" : "both are";
    report.error(null, "Exactly one type", `Exactly one of totp and recovery must be given, and ${found}.`);
  },
  plan: planTfa,
  planDelete: planTfaRemoval,

  async create({ api, desired, signal }) {
    const { user, totp, recovery } = desired;
    await awaitReference(api, { kind: "user", name: user, signal });
    if (totp) {
      const id = await addTotp(api, user, { description: totp.description, secret: totp.secret ?? "" }, signal);
      if (totp.enabled === false) await api.access.tfa.update(user, id, { ...caller(api), enable: false }, { signal });
      return { user, id };
    }
    await addRecovery(api, user, recovery?.keys_file ?? null, signal);
    return { user, id: "recovery" };
  },

  async read({ api, id, state, purpose, signal }) {
    const list = () => (purpose === "refresh" ? factorsOf(api, id.user) : api.access.tfa.list(id.user, { signal }));
    const all = await belowUser(api, id.user, list);
    const found = all?.find((one) => one.id === id.id);
    if (found === undefined) return null;
    const created = found.created === undefined ? "" : timestamp(found.created);
    if (found.type === "recovery") return { ...id, totp: null, recovery: {}, created };
    const isLeftOut = found.enable && (state?.totp?.enabled ?? null) === null;
    const enabled = isLeftOut ? null : found.enable;
    return { ...id, totp: { description: found.description ?? "", enabled }, recovery: null, created };
  },

  async update({ api, id, desired: { totp }, signal }) {
    if (!totp) return;
    const change = { ...caller(api), description: totp.description, enable: totp.enabled !== false };
    await api.access.tfa.update(id.user, id.id, change, { signal });
  },

  async delete({ api, id, signal }) {
    try {
      await api.access.tfa.remove(id.user, id.id, caller(api), { signal });
    } catch (reason) {
      const left = await belowUser(api, id.user, () => api.access.tfa.list(id.user, { signal }));
      if (left?.some((one) => one.id === id.id)) throw reason;
    }
  },

  import({ id }) {
    const [, user, entry] = /^([^/\s]+@[^/\s]+)\/([^/\s]+)$/.exec(id.trim()) ?? [];
    if (user === undefined || entry === undefined) {
      throw new Failure("Invalid import ID", `"${id}" is not of the form USER@REALM/ID, such as "ann@pve/recovery".`);
    }
    return { user, id: entry };
  },
});

/** The caller's own password, which PVE wants of everyone but root@pam. */
function caller({ settings: { credentials } }: Session): { readonly password?: string } {
  const isAnother = credentials.kind === "password" && credentials.username !== "root@pam";
  return isAnother ? { password: credentials.password } : {};
}

interface Totp {
  readonly description: string;
  readonly secret: string;
}

async function addTotp(api: Session, user: string, given: Totp, signal: AbortSignal): Promise<string> {
  const idsOf = (all: readonly SecondFactor[]) => all.map(({ id }) => id);
  const before = new Set(idsOf(await api.access.tfa.list(user, { signal })));
  let added: string | undefined;
  const write = async () => {
    added = await api.access.tfa.addTotp(user, { ...given, ...caller(api) }, { signal });
  };
  const isDone = async () => {
    const all = await api.access.tfa.list(user, { signal });
    added = all.find(({ id, description }) => !before.has(id) && description === given.description)?.id;
    return added !== undefined;
  };
  await provenWrite(api, { write, isDone, signal });
  return added ?? "";
}

async function addRecovery(api: Session, user: string, file: string | null, signal: AbortSignal): Promise<void> {
  const exists = async () => (await api.access.tfa.list(user, { signal })).some(({ type }) => type === "recovery");
  if (await exists()) {
    const { summary, detail } = recoveryExists(user);
    throw new Failure(summary, detail, { path: "recovery" });
  }
  if (file === null) throw new Failure(noFile.summary, noFile.detail, { path: "recovery" });
  await reserveFile(file);
  try {
    let keys: readonly string[] | null = null;
    const write = async () => {
      keys = await api.access.tfa.addRecovery(user, caller(api), { signal });
    };
    await provenWrite(api, { write, isDone: exists, signal });
    if (keys === null) await refuseUnknownKeys(api, user, signal);
    else await keepKeys(file, keys);
  } catch (reason) {
    await dropFile(file);
    throw reason;
  }
}

/** The keys exist, and the answer that held them is lost. */
async function refuseUnknownKeys(api: Session, user: string, signal: AbortSignal): Promise<never> {
  await api.access.tfa.remove(user, "recovery", caller(api), { signal });
  const detail = `The answer that holds the recovery keys of ${user} was lost. The keys were removed again. Apply once more.`;
  throw new Failure("Keys are lost", detail, { path: "recovery" });
}
