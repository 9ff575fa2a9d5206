/**
 * The value without the members that every object of JavaScript inherits: a name of a caller, such as `constructor`, must
 * not find one of them in a table of nodes, groups or zones.
 */
export function bare<T>(value: T): T {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  for (const member of Object.values(value)) {
    bare(member);
  }
  return Object.getPrototypeOf(value) === Object.prototype ? Object.setPrototypeOf(value, null) : value;
}
