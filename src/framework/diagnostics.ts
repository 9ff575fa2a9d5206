/** One thing Terraform shows the person: what is wrong, where, and what to do about it. */
export interface Diagnostic {
  severity: "error" | "warning";
  summary: string;
  detail: string;
  /** The attribute it is about. A path stops at a set: Terraform has no way to name one of its elements. */
  path?: Path;
}

/** Where in a value: an attribute name, a map key or a list index per step. */
export type Path = readonly PathStep[];

export type PathStep = { attribute: string } | { key: string } | { index: number };
