import { Failure, isPveError, type Report, type Session } from "#kit";
import type { TokenId } from "#pve";
import { aclOf } from "./acl-entries.ts";
import { tokenText } from "./issue-token.ts";
import { callerOf } from "./user-name.ts";

/** Whether the provider's requests are sent with this token. */
export const isOwnToken = (api: Session, id: TokenId): boolean => api.identity === tokenText(id);

/** Whether the provider works as this user, or with one of its tokens. */
export const isOwnUser = (api: Session, user: string): boolean => callerOf(api) === user;

/** An end that is over would be the last change that the provider makes. */
export function refuseOwnEnd(
  report: Pick<Report<"expire">, "error">,
  { identity }: Session,
  moment: string | null | undefined,
): void {
  if (!moment || Date.parse(moment) > Date.now()) return;
  const detail = `The provider works as ${identity} and would lock itself out: ${moment} is in the past. Choose a later moment, or make this change with another account.`;
  report.error("expire", "The provider's own account", detail);
}

/** With privilege separation, a token has nothing but what is granted to the token itself. */
export async function checkOwnSeparation(
  report: Pick<Report<"privilege_separation">, "error" | "warning">,
  api: Session,
): Promise<void> {
  const own = (await aclOf(api)).filter(({ type, subject }) => type === "token" && subject === api.identity);
  if (own.length === 0) {
    const detail = `The provider works with this token, and nothing is granted to the token itself: it would lock itself out. Grant it what it needs first (\`proxmox_acl\` with \`token = "${api.identity}"\`), in an apply of its own.`;
    report.error("privilege_separation", "The provider's own token", detail);
    return;
  }
  const granted = own.map(({ role, path }) => `${role} on ${path}`).join(", ");
  const detail = `The provider works with this token. From this change on it has what is granted to the token itself (${granted}), and no longer all that its user has.`;
  report.warning("privilege_separation", "This takes away the provider's own rights", detail);
}

export function warnOfOwnRotation(report: Pick<Report<"rotate">, "warning">, { identity }: Session): void {
  report.warning(
    "rotate",
    "The provider's own token",
    `The provider works with this token. Once it is rotated, this run continues with the new secret, which is in the state; the next run needs it, too: give the provider \`api_token = "${identity}=…"\` with the new \`value\` before it.`,
  );
}

/** A user whose groups go loses what is granted to them. */
export async function warnOfOwnGroups(
  report: Pick<Report<"groups">, "warning">,
  api: Session,
  leaving: readonly string[],
): Promise<void> {
  if (leaving.length === 0) return;
  const entries = (await aclOf(api)).filter(({ type, subject }) => type === "group" && leaving.includes(subject));
  if (entries.length === 0) return;
  const granted = entries.map(({ role, path, subject }) => `${role} on ${path} by \`${subject}\``).join(", ");
  const detail = `The provider works as ${api.identity}, and this user loses ${granted}. Whatever needs that afterwards is refused.`;
  report.warning("groups", "This takes away the provider's own rights", detail);
}

/**
 * The old secret of the provider's own token is of no use once Proxmox VE has made another, so a lost response cannot be
 * asked for again.
 */
export function ownSecretLost({ user, name }: TokenId, reason: unknown): unknown {
  if (!isPveError(reason, "auth", "timeout", "unreachable")) return reason;
  return new Failure(
    "The new secret is lost",
    `Proxmox VE did not answer the rotation of the provider's own token ${tokenText({ user, name })}. If it refuses the old secret from now on, it has made a new one that is not known. Make another on a node, with \`pveum user token modify ${user} ${name} --regenerate 1\`, and give it to the provider as \`api_token\`.`,
    { path: "rotate", cause: reason },
  );
}
