interface Range {
  readonly start: string;
  readonly end: string;
}

const partsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(text.split(",").map((part) => part.split("=", 2) as [string, string]));

/** `start-address=10.0.0.10,end-address=10.0.0.20` for each range. */
export const dhcpRanges = {
  parse: (raw: unknown): Partial<Range>[] =>
    (raw as readonly string[]).map((text) => {
      const { "start-address": start, "end-address": end } = partsOf(text);
      return { ...(start && { start }), ...(end && { end }) };
    }),
  print: (ranges: unknown): string[] =>
    (ranges as readonly Range[]).map(({ start, end }) => `start-address=${start},end-address=${end}`),
};
