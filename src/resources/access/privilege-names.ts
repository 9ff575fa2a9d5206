import { nearNames } from "#kit";

/** What PVE 9 has in place of what older versions had (pve-manager: PVE/CLI/pve8to9.pm). */
const successors: Readonly<Record<string, string>> = {
  "VM.Monitor":
    "Proxmox VE 9 has no such privilege any more: guest agent calls take `VM.GuestAgent.Audit` (reading), `VM.GuestAgent.FileRead`, `VM.GuestAgent.FileWrite`, `VM.GuestAgent.FileSystemMgmt` or `VM.GuestAgent.Unrestricted` (anything), the monitor itself `Sys.Audit` or `Sys.Modify`",
  "Permissions.Audit": "no privilege is needed to look at one's own permissions, and `Sys.Audit` shows those of others",
};

/** Says what is wrong with a privilege the host does not know, and what may have been meant. */
export function explainUnknown(privilege: string, known: readonly string[]): string {
  const successor = successors[privilege];
  if (successor !== undefined) return `\`${privilege}\`: ${successor}.`;
  const near = nearNames(privilege, known, 3);
  const hint =
    near.length === 0
      ? `It knows ${known.length}, such as \`VM.Audit\` or \`Datastore.AllocateSpace\``
      : `Did you mean ${near.map((name) => `\`${name}\``).join(" or ")}`;
  return `This host knows no privilege \`${privilege}\`. ${hint}${near.length === 0 ? "." : "?"}`;
}
