interface Taken {
  /** The resource type, and the ID its import takes. */
  readonly type: string;
  readonly id: string;
  /** `HA resource "vm:100"`, and what more is known of it. */
  readonly label: string;
  readonly known?: string;
  /** What to do if it is not the one that is meant. */
  readonly otherwise: string;
}

/** "Already exists" is never success: the message of every guard that says so, with the way to take it over. */
export function alreadyExists({ type, id, label, known, otherwise }: Taken): { summary: string; detail: string } {
  return {
    summary: `${label} exists already`,
    detail: [
      `It was there before${known ? `: ${known}` : ""}. Nothing was changed. If it is the one you mean, take it over:`,
      `import {\n  to = ${type}.NAME\n  id = ${JSON.stringify(id)}\n}`,
      otherwise,
    ].join("\n\n"),
  };
}

/** The same for an object that one resource of a plan removes, and another one creates. */
export function removedAndCreated(type: string, label: string): { summary: string; detail: string } {
  return {
    summary: `${label} is removed and created`,
    detail: [
      "One resource of this plan removes it, another one creates it, and Terraform does that in any order. If the resource has another name in the configuration now, move it:",
      `moved {\n  from = ${type}.OLD\n  to   = ${type}.NEW\n}`,
      "Otherwise remove it in a run of its own, before the other resource is added.",
    ].join("\n\n"),
  };
}
