/** A moment as Terraform's own functions write and read it: RFC 3339, in UTC and whole seconds. */
export const timestamp = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().replace(".000", "");
