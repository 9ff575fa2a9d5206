/** Rights to be given: a role of these privileges, on these paths. */
export interface Grant {
  readonly role: string;
  readonly privileges: readonly string[];
  readonly paths: readonly string[];
}

/** Who gets them: a user, one of its tokens. */
export interface Grantees {
  readonly user?: string | undefined;
  readonly token?: string | undefined;
}

/**
 * What an administrator types on a node to grant something (pve-access-control: src/PVE/CLI/pveum.pm). A role that
 * `exists` keeps what it has.
 */
export function grantCommands({ role, privileges, paths }: Grant, grantees: Grantees, exists = false): string[] {
  return [
    `pveum role ${exists ? "modify" : "add"} ${role} --privs ${privileges.join(",")}${exists ? " --append 1" : ""}`,
    ...paths.map((path) => `pveum acl modify ${path} --roles ${role}${receivers(grantees)}`),
  ];
}

/** An exclamation mark means something to most shells. */
const receivers = ({ user, token }: Grantees): string =>
  (user === undefined ? "" : ` --users ${user}`) + (token === undefined ? "" : ` --tokens '${token}'`);

/** A role named after the path it is for, so that it differs from the built-in ones: those begin with `PVE`. */
export const roleFor = (path: string): string =>
  path === "/" ? "terraform-cluster" : `terraform${path.replaceAll("/", "-")}`;
