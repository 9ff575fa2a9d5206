import type { GuestAddress } from "#pve";

/** The address of a guest and nothing else: PVE would receive every other member as a parameter. */
export const addressOf = ({ node, vmid }: GuestAddress): GuestAddress => ({ node, vmid });
