import { type LegacyState, type Report, string, timestamp } from "#kit";

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000);

/** A moment after which something is of no use; as `timestamp()` and `timeadd()` write it. */
export const expiry = string({
  check: (text) =>
    rfc3339.test(text) && seconds(text) > 0
      ? undefined
      : 'Must be a moment in RFC 3339 form, such as "2030-12-31T23:59:59Z". Leave it out if there is no end.',
  same: (a, b) => seconds(a) === seconds(b),
});

/** PVE counts seconds since 1970, and 0 is never. */
export const expiryToWire = (moment: string | null): number => (moment === null ? 0 : seconds(moment));
export const parseExpiry = (since1970: number): string | null => (since1970 === 0 ? null : timestamp(since1970));

/** bpg's provider stores the beginning of 1970 for never. */
export function movedExpiry(old: LegacyState): string | undefined {
  const moment = old.text("expiration_date");
  return moment !== undefined && seconds(moment) > 0 ? moment : undefined;
}

export function warnIfPast(report: Pick<Report<"expire">, "warning">, moment: string | null | undefined): void {
  if (!moment || Date.parse(moment) > Date.now()) return;
  report.warning("expire", "Over already", `${moment} is in the past, so it cannot be used.`);
}
