import { parsePropertyString } from "../core/schema/property-string.ts";
import { dhcpRangeFormat } from "./formats.ts";

/** `get_dhcp_ranges`: the ranges of a subnet, each with its first and last address. */
export const rangesOf = (options: Readonly<Record<string, unknown>>): Record<string, string>[] =>
  [options["dhcp-range"] ?? []].flat().map((range) => parsePropertyString(dhcpRangeFormat, String(range)));
