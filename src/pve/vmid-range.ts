import { PveError } from "./errors.ts";

export interface VmidRange {
  readonly first: number;
  readonly last: number;
}

export const isWithin = ({ first, last }: VmidRange, vmid: number): boolean => vmid >= first && vmid <= last;

/** `900000000-900000999` */
export function parseVmidRange(text: string): VmidRange {
  const [, first, last] = /^([1-9]\d{2,8})-([1-9]\d{2,8})$/.exec(text.trim()) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (last === undefined || range.first > range.last) {
    throw new PveError("invalid", `"${text}" is not a range of VMIDs such as 900000000-900000999`);
  }
  return range;
}
