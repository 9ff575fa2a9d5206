import type { Report, Session } from "#kit";
import { realmTypeOf } from "../realm-type.ts";

/** Only a directory has users and groups to take. A realm that the same plan creates is not looked at. */
export async function checkSyncable(api: Session, report: Pick<Report, "error">, realm: string): Promise<void> {
  const type = await realmTypeOf(api, realm);
  if (type === undefined || type === "ldap" || type === "ad") return;
  const detail = `Realm \`${realm}\` is of type \`${type}\`. Only realms of type \`ldap\` or \`ad\` have a directory to take users and groups from.`;
  report.error("realm", "Not a directory", detail);
}
