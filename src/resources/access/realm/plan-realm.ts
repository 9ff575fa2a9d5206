import type { Report, Session } from "#kit";
import { realmOf } from "../user-name.ts";

interface Planning {
  readonly config: { readonly id?: string | undefined; readonly default?: boolean | null | undefined };
  readonly report: Pick<Report, "error">;
}

/** Only one realm is the default: of two that claim it, each apply would take it from the other. */
export function planDefault({ config: { id, default: isDefault }, report }: Planning, api: Session): void {
  if (isDefault !== true || id === undefined) return;
  const claimed = api.store.keep("realms that are to be the default", () => new Set<string>());
  claimed.add(id);
  const [other] = [...claimed].filter((one) => one !== id);
  if (other === undefined) return;
  const detail = `Realm \`${other}\` of this configuration has \`default = true\`, too, and there is one default only. Keep it in one of the two.`;
  report.error("default", "Two default realms", detail);
}

interface Removal {
  readonly id: { readonly id: string };
  readonly report: Pick<Report, "warning">;
}

const shown = 10;

/** Users of a realm that is removed stay, with their tokens and what was granted to them, and cannot log in. */
export async function warnOfUsers({ id: { id }, report }: Removal, api: Session): Promise<void> {
  if (id === "pam" || id === "pve") {
    const detail = `The realm \`${id}\` always exists: Proxmox VE restores its first settings. To leave them, use a \`removed\` block with \`destroy = false\`.`;
    report.warning(null, "Settings are reset", detail);
    return;
  }
  const users = (await api.collect("/access/users", {})).map(({ userid }) => String(userid));
  const left = users.filter((user) => realmOf(user) === id);
  if (left.length === 0) return;
  const names = left.slice(0, shown).map((user) => `\`${user}\``);
  const more = left.length > shown ? ` and ${left.length - shown} more` : "";
  const detail = `${names.join(", ")}${more} stay in Proxmox VE with their tokens and ACL entries, and cannot log in any more. Remove them first if they are not needed.`;
  report.warning(null, "Users without a realm", detail);
}
