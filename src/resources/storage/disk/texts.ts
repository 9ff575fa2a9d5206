import { type Attachment, type Session, showGuest } from "#kit";

/** What to say about a disk whose destruction was not asked for. */
export const isProtected = (volume: string) => ({
  summary: "Disk is protected",
  detail: `\`${volume}\` holds data, and its destruction was not asked for. To destroy it with its data, apply \`destroy_data = true\` first. To have Terraform only forget it, use a \`removed\` block with \`destroy = false\`.`,
});

/** What to say about a disk that a guest has. */
export async function attachedTo(api: Session, volume: string, { vmid, slot, snapshot }: Attachment) {
  const guest = await api.inventory.locate(vmid);
  const label = guest === null ? `guest ${vmid}` : await showGuest(api, guest);
  if (snapshot !== null) {
    return {
      summary: "A snapshot needs the disk",
      detail: `\`${volume}\` is in snapshot ${snapshot} of ${label} (${vmid}), which could not be deleted any more without it. Delete the snapshot first.`,
    };
  }
  return {
    summary: "Disk is attached",
    detail: `\`${volume}\` is \`${slot}\` of ${label} (${vmid}). Take it out of that VM first, in an apply of its own: Terraform destroys the disk before it changes the VM.`,
  };
}
