import type { GuestAddress } from "#pve";

/** Where a VM is, and nothing else of it: whatever stands beside would be sent to PVE as a parameter. */
export const addressOf = ({ node, vmid }: GuestAddress): GuestAddress => ({ node, vmid });
