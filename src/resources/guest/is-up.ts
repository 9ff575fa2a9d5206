/**
 * Whether the process of a guest in the state runs. That of a paused VM does: changes of it wait for a restart, as those of
 * a running one do.
 */
export const isUp = (guest: { readonly status?: string | undefined } | null | undefined): boolean =>
  guest?.status === "running" || guest?.status === "paused";
