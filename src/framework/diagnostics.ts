/** One message to the user: what is wrong, where, and what to do about it. */
export interface Diagnostic {
  severity: "error" | "warning";
  summary: string;
  detail: string;
  /** The attribute concerned. A path stops at a set: Terraform cannot address an element of one. */
  path?: Path;
}

/** A place in a value: an attribute name, a map key or a list index per step. */
export type Path = readonly PathStep[];

export type PathStep = { attribute: string } | { key: string } | { index: number };
