/**
 * Whether a list or a set was written a moment ago, and seen as desired: what another client has changed since is for the next
 * plan. Read again, it would count as a failed creation, and Terraform would replace the firewall.
 */
export const isJustWritten = (purpose: string): boolean => purpose === "create" || purpose === "update";
