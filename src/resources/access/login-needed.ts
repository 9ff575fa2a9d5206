import type { PathLike, Report, Session } from "#kit";

interface Demand {
  /** `change passwords` */
  readonly what: string;
  readonly path: PathLike;
  /** What else would do. */
  readonly otherwise?: string;
  /** Only root@pam itself, however others have logged in. */
  readonly isForRootOnly?: boolean;
}

/**
 * Passwords and second factors are changed with a ticket (pve-access-control: src/PVE/API2/AccessControl.pm, TFA.pm), and everyone
 * but root@pam confirms the change with the own password: no token can, nor a ticket without its password.
 */
export function refuseWithoutLogin(report: Pick<Report, "error">, api: Session, demand: Demand): boolean {
  const { what, path, otherwise = "", isForRootOnly = false } = demand;
  const { kind } = api.settings.credentials;
  if (api.mayActAsRoot || (kind === "password" && !isForRootOnly)) return false;
  const caller = kind === "token" ? `the token ${api.identity}` : kind === "ticket" ? "a ticket" : api.identity;
  const who = isForRootOnly ? "root@pam itself" : "a caller who has logged in with a password";
  const detail = `Proxmox VE lets only ${who} ${what}, and the provider uses ${caller}. Give the provider \`username = "root@pam"\` and \`password\`; a token may stay beside them.${otherwise && ` ${otherwise}`}`;
  report.error(path, "Login needed", detail);
  return true;
}
