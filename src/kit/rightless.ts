import { Failure } from "#framework";
import { permissionsToCheck } from "./privileges.ts";
import type { Session } from "./session.ts";

/** About the error that Terraform adds where the configuration has no provider block. */
export const blockNotNeeded =
  "Terraform may report an invalid provider configuration, too, and ask for a provider block: that is a consequence of this error. The block is not needed.";

/** Refuses a caller without any privilege, to whom Proxmox VE shows nothing and says nothing about it. */
export async function refuseRightless(api: Session, isWithoutBlock: boolean): Promise<void> {
  const permissions = await permissionsToCheck(api);
  if (permissions === null || Object.keys(permissions).length > 0) return;
  const [user, token] = api.identity.split("!");
  const command = `terraform-provider-proxmox doctor role --user ${user}${token === undefined ? "" : ` --token ${token}`}`;
  throw new Failure(
    "No rights at all",
    [
      `${api.identity} has no rights at all: Proxmox VE shows it no VM, no template and no storage.`,
      `This prints what an administrator types on a node to grant what VMs require:\n  ${command}`,
      token === undefined
        ? ""
        : `A token with privilege separation has what both it and ${user} have, so both must be granted something; one without it has the rights of ${user}.`,
      `No resource of this provider was read or planned. \`permission_check = "off"\` in the provider block, or PROXMOX_VE_PERMISSION_CHECK=off in the environment, leaves this check out.`,
      isWithoutBlock ? blockNotNeeded : "",
    ]
      .filter(Boolean)
      .join("\n\n"),
  );
}
