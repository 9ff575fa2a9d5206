import {
  alreadyExists,
  checkPrivileges,
  checkReference,
  type PlanContext,
  type PlanDeleteContext,
  type Report,
  type Session,
} from "#kit";
import { isGone } from "../below-user.ts";
import { refuseWithoutLogin } from "../login-needed.ts";
import { modifyNeed } from "../plan-user.ts";
import { callerOf, ifVisible } from "../user-name.ts";
import type { TfaAttributes } from "./tfa-attributes.ts";

type Plan = PlanContext<TfaAttributes, object, Session>;

/** Checks a second factor before it is added or changed. */
export async function planTfa(context: Plan): Promise<void> {
  const { api, config, prior, planned, changes, report } = context;
  planKind(context);
  if (prior === null && planned.recovery) context.set("id", "recovery");
  const { user } = config;
  if (api === undefined || user === undefined || changes.size === 0) return;
  if (prior === null && !(await checkReference(api, report, { kind: "user", name: user, path: "user" }))) return;
  if (!(await checkCaller(api, report, user)) || prior !== null) return;
  warnOfOwnLogin(context, api, user);
  if (config.totp && config.totp.secret === null) {
    const detail = "A new entry needs the secret that the authenticator app has. Give `totp.secret`.";
    report.error("totp.secret", "Secret needed", detail);
  }
  if (config.recovery && config.recovery.keys_file === null) {
    report.error("recovery", noFile.summary, noFile.detail);
  }
  if (config.recovery && !api.planned.has("user", user)) await refuseSecondSet(api, report, user);
}

/** A code of another secret, or another kind, is another entry. */
function planKind({ prior, planned, replace }: Plan): void {
  if (prior === null) return;
  if ((prior.totp === null) !== (planned.totp === null)) replace(prior.totp === null ? "totp" : "recovery");
  const [before, after] = [prior.totp?.secret_version, planned.totp?.secret_version];
  if (prior.totp && planned.totp && before !== after) {
    replace("totp.secret_version", "Proxmox VE does not change a secret: the entry is removed and added anew.");
  }
}

async function refuseSecondSet(api: Session, report: Report, user: string): Promise<void> {
  const found = (await ifVisible(() => api.access.tfa.list(user)))?.some(({ type }) => type === "recovery");
  if (!found || api.managed.has("proxmox_tfa", `${user}/recovery`)) return;
  const { summary, detail } = recoveryExists(user);
  report.error("recovery", summary, detail);
}

/** A new set of keys has to go somewhere. */
export const noFile = {
  summary: "No file for the keys",
  detail: "Proxmox VE shows the keys once, and the state does not hold them. Give `recovery.keys_file`.",
};

export const recoveryExists = (user: string) =>
  alreadyExists({
    type: "proxmox_tfa",
    id: `${user}/recovery`,
    label: `A set of recovery keys of ${user}`,
    otherwise: "A user has one set at most: to get other keys, remove the old ones first.",
  });

export async function planTfaRemoval({
  api,
  id,
  report,
}: PlanDeleteContext<TfaAttributes, "user" | "id", object, Session>) {
  if (api && !(await isGone(api, id.user))) await checkCaller(api, report, id.user);
}

/** Proxmox VE wants a login for this, and of everyone but root@pam the password once more. */
async function checkCaller(
  api: Session,
  report: Pick<Report, "error" | "refusedElsewhere">,
  user: string,
): Promise<boolean> {
  if (api.mayActAsRoot) return true;
  const what = `change second factors of \`${user}\``;
  if (refuseWithoutLogin(report, api, { what, path: null, isForRootOnly: user === "root@pam" })) return false;
  if (api.identity === user) return true;
  const groups = (await ifVisible(() => api.access.users.find(user)))?.groups ?? [];
  return checkPrivileges({ api, report, needs: [modifyNeed(groups)] });
}

function warnOfOwnLogin({ report }: Plan, api: Session, user: string): void {
  const { credentials } = api.settings;
  if (callerOf(api) !== user || credentials.kind !== "password" || credentials.totpSecret !== undefined) return;
  const detail = `From the next login on, Proxmox VE asks \`${user}\` for a second factor, and the provider logs in as that user. Give it \`totp_secret\`, or a token, which needs no second factor.`;
  report.warning("user", "The provider's own user", detail);
}
