import { listed, type Session } from "#kit";

/** The type of a realm; undefined: there is none of that name. */
export async function realmTypeOf(api: Session, name: string): Promise<string | undefined> {
  const realms = await listed(api, "domains.cfg", { path: "/access/domains/{realm}" });
  const found = realms.find(({ realm }) => realm === name);
  return found && String(found["type"]);
}
