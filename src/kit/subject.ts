import type { Attributes } from "#framework";
import { isSlot } from "./wire/slot.ts";
import { type WiredAttribute, wiresOf } from "./wire/wired.ts";

/** An error, and which object it is about in the words of its owner. */
export class SubjectError extends Error {
  override readonly name = "SubjectError";
  /** `VM "web-1"` */
  readonly subject: string;
  readonly attributes: Attributes;
  /** What was being done, where Terraform's name of the operation does not say it. */
  readonly verb: string | undefined;

  constructor(subject: string, attributes: Attributes, cause: unknown, verb?: string) {
    super(subject, { cause });
    this.subject = subject;
    this.attributes = attributes;
    this.verb = verb;
  }
}

/** The attributes without the objects that are not given: of two types with the same option, PVE complains about the one in use. */
export function attributesInUse(attributes: Attributes, known: { readonly [name: string]: unknown }): Attributes {
  const used = Object.entries(attributes).filter(
    ([name, { type }]) => type.shape.kind !== "nested" || known[name] !== null,
  );
  return Object.fromEntries(used);
}

/** The attribute that lives in this option of PVE's, as PVE's own complaints name it. */
export function pathOfOption(attributes: Attributes, option: string): string[] | null {
  for (const [name, attribute] of Object.entries(attributes) as [string, WiredAttribute][]) {
    if (attribute.slots && isSlot(option, attribute.slots.families)) return [name, option];
  }
  const wired = wiresOf(attributes).find(({ wire }) => wire.split("/")[0] === option);
  if (!wired) return null;
  // One option holds several attributes: the complaint is about the object they are in.
  return wired.wire.includes("/") && wired.path.length > 1 ? wired.path.slice(0, -1) : wired.path;
}
