import type { Endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { aclEndpoints } from "./endpoints/acl.ts";
import { domainEndpoints } from "./endpoints/domains.ts";
import { groupEndpoints } from "./endpoints/groups.ts";
import { openIdEndpoints } from "./endpoints/openid.ts";
import { permissionEndpoints } from "./endpoints/permissions.ts";
import { roleEndpoints } from "./endpoints/roles.ts";
import { tfaEndpoints } from "./endpoints/tfa.ts";
import { ticketEndpoints } from "./endpoints/ticket.ts";
import { tokenEndpoints } from "./endpoints/tokens.ts";
import { userEndpoints } from "./endpoints/users.ts";

const subdirectories = ["users", "groups", "roles", "acl", "domains", "openid", "tfa", "ticket", "password"];

export const accessEndpoints: readonly Endpoint[] = [
  indexEndpoint("/access", "subdir", subdirectories),
  ...userEndpoints,
  ...tokenEndpoints,
  ...groupEndpoints,
  ...roleEndpoints,
  ...aclEndpoints,
  ...domainEndpoints,
  ...permissionEndpoints,
  ...ticketEndpoints,
  ...tfaEndpoints,
  ...openIdEndpoints,
];
