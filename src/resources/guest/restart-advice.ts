import type { GuestKind } from "./kind.ts";

/** How to put changes into effect that wait for a restart; Terraform before 1.14 and OpenTofu have no actions. */
export const restartAdvice = (kind: Pick<GuestKind, "resource">): string =>
  `Restart it with the action \`${kind.resource}_reboot\` or with Reboot in the web interface, or set \`restart_policy = "when_needed"\`.`;
