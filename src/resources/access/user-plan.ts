import { alreadyExists, checkPrivileges, enumerate, type Need, type PlanContext, type Session } from "#kit";
import { warnIfPast } from "./expiry.ts";
import type { UserAttributes } from "./user-attributes.ts";
import { callerOf, ifVisible, realmOf } from "./user-name.ts";

type UserPlan = PlanContext<UserAttributes, object, Session>;

export const userExists = (id: string) =>
  alreadyExists({ type: "proxmox_user", id, label: `User "${id}"`, otherwise: "Otherwise choose another name." });

/** Looks at a user before it is made or changed. */
export async function planUser(context: UserPlan, api: Session): Promise<void> {
  const { config, prior, changes, report } = context;
  const { id } = config;
  if (prior !== null) api.managed.add("proxmox_user", prior.id);
  if (id === undefined || changes.size === 0) return;
  if (changes.has("expire")) warnIfPast(report, config.expire);
  await checkRealm(context, api, id);
  await checkGroups(context, api);
  refuseSelfDisabling(context, api, id);
  refusePasswordByToken(context, api);
  if (prior === null) await planNew(context, api, id);
  else await checkPrivileges({ report, api, needs: [modifyNeed(prior.groups ?? [])] });
}

async function planNew({ config, report }: UserPlan, api: Session, id: string): Promise<void> {
  api.planned.add("user", id);
  if (!api.managed.has("proxmox_user", id) && (await ifVisible(() => api.access.users.find(id)))) {
    const { summary, detail } = userExists(id);
    report.error("id", summary, detail);
  }
  const groups = (config.groups ?? []).filter((group) => group !== undefined);
  const groupNeeds = groups.length === 0 ? [modifyNeed([])] : groups.map((group) => modifyNeed([group]));
  await checkPrivileges({ report, api, needs: [allocateNeed(id), ...groupNeeds] });
}

export const allocateNeed = (id: string): Need => ({
  privileges: ["Realm.AllocateUser"],
  paths: [`/access/realm/${realmOf(id)}`],
  attribute: "id",
});

/** Rights over a user are rights over a group it is in (pve-access-control: src/PVE/RPCEnvironment.pm, `check_user`). */
export const modifyNeed = (groups: readonly string[]): Need => ({
  privileges: ["User.Modify"],
  paths: [...groups.map((group) => `/access/groups/${group}`), "/access/groups"],
  attribute: null,
});

/** PVE takes users of realms that do not exist, who can never log in. */
async function checkRealm({ config, prior, report }: UserPlan, api: Session, id: string): Promise<void> {
  const hasNewPassword = config.password !== null && config.password !== undefined;
  if (prior !== null && !hasNewPassword) return;
  const realms = await api.access.users.listRealms();
  const realm = realms.find((one) => one.realm === realmOf(id));
  if (realm === undefined) {
    const names = realms.map((one) => one.realm);
    report.error("id", "No such realm", `There is no realm \`${realmOf(id)}\`. There is ${enumerate(names)}.`);
  } else if (hasNewPassword && realm.type !== "pve") {
    report.error(
      "password",
      "Passwords are kept elsewhere",
      `The users of \`${realm.realm}\` (${realm.type}) have their passwords there. Proxmox VE can set those of \`pve\` only.`,
    );
  }
}

/** A caller must have rights over every group it puts users in, so it sees them all. */
async function checkGroups({ config, prior, report }: UserPlan, api: Session): Promise<void> {
  const added = (config.groups ?? []).filter((group) => group !== undefined && !prior?.groups?.includes(group));
  if (added.length === 0) return;
  const groups = await api.access.users.listGroups();
  const missing = added.filter((group) => group !== undefined && !groups.includes(group));
  if (missing.length === 0) return;
  report.error(
    "groups",
    "No such group",
    `There is no group ${enumerate(missing.map(String))}, or you may not see it. There is ${enumerate(groups)}.`,
  );
}

function refuseSelfDisabling({ config, report }: UserPlan, api: Session, id: string): void {
  if (config.enabled !== false || callerOf(api) !== id) return;
  report.error(
    "enabled",
    "The provider's own user",
    `The provider works as ${api.identity} and would shut itself out.`,
  );
}

function refusePasswordByToken({ config, prior, changes, report }: UserPlan, api: Session): void {
  if (prior === null || !changes.has("password_version") || config.password === null) return;
  if (api.settings.credentials.kind === "password") return;
  report.error(
    "password_version",
    "A token cannot change passwords",
    `Proxmox VE lets only those change a password who have logged in with one, and the provider uses ${
      api.settings.credentials.kind === "token" ? `the token ${api.identity}` : "a ticket"
    }. Give the provider \`username\` and \`password\` for this, or replace the user.`,
  );
}
