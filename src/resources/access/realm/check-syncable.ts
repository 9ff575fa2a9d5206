import type { Report, Session } from "#kit";

/** Only a directory has users and groups to take. A realm that the same plan creates is not looked at. */
export async function checkSyncable(api: Session, report: Pick<Report, "error">, realm: string): Promise<void> {
  const found = (await api.access.users.listRealms()).find((one) => one.realm === realm);
  if (found === undefined || found.type === "ldap" || found.type === "ad") return;
  const detail = `Realm \`${realm}\` is of type \`${found.type}\`. Only realms of type \`ldap\` or \`ad\` have a directory to take users and groups from.`;
  report.error("realm", "Not a directory", detail);
}
