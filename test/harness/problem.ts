/** One place in a value where a provider broke a rule. */
export interface Problem {
  path: string;
  text: string;
}

/** The rules that Terraform enforces with an error that blames the provider, and a few of our own. */
export type Rule =
  | "values fit the schema"
  | "plan agrees with the configuration"
  | "final plan agrees with the first plan"
  | "result agrees with the plan"
  | "nothing is unknown after apply"
  | "write-only values are never returned"
  | "replacement names an attribute that exists"
  | "destroy plans nothing and leaves nothing"
  | "identity is known and stays"
  | "nothing is deferred unless allowed"
  | "the legacy type system is not claimed"
  | "upgrade keeps a current state"
  | "read agrees with the result"
  | "second plan is empty"
  | "import yields the imported type";

/** A fault of the provider. Terraform would report it to the user, who cannot correct it. */
export class RuleViolation extends Error {
  readonly rule: Rule;
  readonly problems: Problem[];

  constructor(rule: Rule, subject: string, problems: Problem[]) {
    const lines = problems.map(({ path, text }) => `  - ${path ? `${path}: ` : ""}${text}`);
    super([`${subject} breaks the rule "${rule}":`, ...lines].join("\n"));
    this.name = "RuleViolation";
    this.rule = rule;
    this.problems = problems;
  }
}
