import type { World } from "../world/world.ts";
import { Acl } from "./acl.ts";
import { Caller } from "./caller.ts";
import { rootUser } from "./identity.ts";

/** The daemons of a node act as root@pam. */
export function rootCaller({ access }: World): Caller {
  return new Caller(rootUser, new Acl(access));
}
