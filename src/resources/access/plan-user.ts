import { checkReference, type Need, type PlanContext, type Report, type Session } from "#kit";
import { warnIfPast } from "./expiry.ts";
import { refuseWithoutLogin } from "./login-needed.ts";
import { isOwnUser, refuseOwnEnd, warnOfOwnGroups } from "./own-account.ts";
import { realmTypeOf } from "./realm-type.ts";
import type { UserAttributes } from "./user-attributes.ts";
import { realmOf } from "./user-name.ts";

type UserPlan = PlanContext<UserAttributes, object, Session>;

/** Checks a user before it is created or changed. */
export async function planUser(context: UserPlan, api: Session): Promise<void> {
  const { config, changes, report } = context;
  const { id } = config;
  if (id === undefined || changes.size === 0) return;
  if (changes.has("expire")) warnIfPast(report, config.expire);
  await checkRealm(context, api, id);
  if (isOwnUser(api, id)) await checkOwnUser(context, api);
  checkPasswordChange(context, api, id);
}

type Members = Readonly<Record<string, unknown>>;

interface Change {
  readonly action: "create" | "update" | "delete";
  readonly id: Members;
  readonly planned: Members;
  readonly state: Members | null;
}

/** PVE decides by the user's realm and groups (pve-access-control: src/PVE/RPCEnvironment.pm, `check_user`). */
export function userNeeds({ action, id, planned, state }: Change): Need[] {
  const before = (state?.["groups"] ?? []) as readonly string[];
  const allocate: Need = {
    privileges: ["Realm.AllocateUser"],
    paths: [`/access/realm/${realmOf(String(id["id"] ?? ""))}`],
    attribute: "id",
  };
  if (action === "update") return [modifyNeed(before)];
  if (action === "delete") return [allocate, modifyNeed(before)];
  const groups = ((planned["groups"] ?? []) as readonly (string | undefined)[]).filter((group) => group !== undefined);
  return [allocate, ...(groups.length === 0 ? [modifyNeed([])] : groups.map((group) => modifyNeed([group])))];
}

/** Privileges on a group are privileges over the users in it. */
export const modifyNeed = (groups: readonly string[]): Need => ({
  privileges: ["User.Modify"],
  paths: [...groups.map((group) => `/access/groups/${group}`), "/access/groups"],
  attribute: null,
});

/** PVE accepts users of realms that do not exist, who can never log in. */
async function checkRealm({ config, prior, report }: UserPlan, api: Session, id: string): Promise<void> {
  const hasNewPassword = config.password !== null && config.password !== undefined;
  if (prior !== null && !hasNewPassword) return;
  const name = realmOf(id);
  if (!(await checkReference(api, report, { kind: "realm", name, path: "id" })) || !hasNewPassword) return;
  const type = await realmTypeOf(api, name);
  if (type === undefined || type === "pve") return;
  report.error(
    "password",
    "Passwords are kept elsewhere",
    `The users of \`${name}\` (${type}) have their passwords there. Proxmox VE can set those of \`pve\` only.`,
  );
}

/** What the provider changes of its own user takes effect with its next request. */
async function checkOwnUser({ config, prior, changes, report }: UserPlan, api: Session): Promise<void> {
  if (config.enabled === false) {
    const detail = `The provider works as ${api.identity} and would lock itself out.`;
    report.error("enabled", "The provider's own user", detail);
  }
  if (changes.has("expire")) refuseOwnEnd(report, api, config.expire);
  const { groups } = config;
  if (groups)
    await warnOfOwnGroups(
      report,
      api,
      (prior?.groups ?? []).filter((group) => !groups.includes(group)),
    );
}

export function refuseOwnRemoval(report: Pick<Report, "error">, api: Session, id: string): void {
  if (!isOwnUser(api, id)) return;
  const detail = `The provider works as ${api.identity}: remove \`${id}\` with another account.`;
  report.error(null, "The provider's own user", detail);
}

function checkPasswordChange({ config, prior, changes, report }: UserPlan, api: Session, id: string): void {
  if (prior === null || !changes.has("password_version") || config.password === null) return;
  const otherwise = "Or replace the user: a new one gets its password with a token, too.";
  if (refuseWithoutLogin(report, api, { what: "change passwords", path: "password_version", otherwise })) return;
  if (api.settings.credentials.kind !== "password" || api.identity !== id) return;
  const detail = `The provider logs in as ${id}. This run continues with the new password; give it to the provider as \`password\` before the next.`;
  report.warning("password_version", "The provider's own password", detail);
}
