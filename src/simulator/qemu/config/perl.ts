/** Truth in Perl for a text: neither missing, nor empty, nor `0`. */
export function isTrue(value: string | undefined): value is string {
  return value !== undefined && value !== "" && value !== "0";
}

/** `safe_num_ne`: two numbers as texts differ, or only one of them is given. */
export function numbersDiffer(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined ? one !== other : Number(one) !== Number(other);
}
