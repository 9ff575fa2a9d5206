import type { Path, PathStep } from "../diagnostics.ts";
import type { PathLike } from "../report.ts";
import type { Attribute } from "./attribute.ts";
import type { Type } from "./type.ts";

export interface Resolved {
  readonly path: Path;
  /** The type at the end of the path. */
  readonly type: Type;
  /** Whether the whole path was followed, not only up to a set or to a step that the schema does not have. */
  readonly complete: boolean;
  /** Whether an attribute on the path declares that its change may require a new object. */
  readonly replaceable: boolean;
}

/** Follows a path as authors write it (`"disks.scsi0.size"`, `["disks", "a.b"]`) through a type, as far as possible. */
export function resolvePath(root: Type, like: PathLike): Resolved {
  const words = like === null || like === "" ? [] : typeof like === "string" ? like.split(".") : like;
  const path: PathStep[] = [];
  let [type, replaceable] = [root, false];
  for (const word of words) {
    const next = follow(type, word);
    if (next === null) return { path, type, complete: false, replaceable };
    path.push(next.step);
    type = next.type;
    replaceable ||= next.replace !== undefined;
  }
  return { path, type, complete: true, replaceable };
}

interface Next {
  readonly step: PathStep;
  readonly type: Type;
  readonly replace?: Attribute["replace"];
}

function follow({ shape }: Type, word: string | number): Next | null {
  const name = String(word);
  switch (shape.kind) {
    case "nested": {
      const attribute = Object.hasOwn(shape.attributes, name) ? shape.attributes[name] : undefined;
      return attribute ? { ...attribute, step: { attribute: name } } : null;
    }
    case "object": {
      const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
      return member ? { step: { attribute: name }, type: member } : null;
    }
    case "map":
      return { step: { key: name }, type: shape.element };
    case "list":
      return isIndex(name) ? { step: { index: Number(name) }, type: shape.element } : null;
    case "tuple": {
      const element = isIndex(name) ? shape.elements[Number(name)] : undefined;
      return element ? { step: { index: Number(name) }, type: element } : null;
    }
    case "set":
    case "string":
    case "bool":
    case "number":
    case "dynamic":
      return null;
  }
}

const isIndex = (word: string): boolean => /^\d{1,9}$/.test(word);

/** A path as a user would write it: `disks["scsi0"].size`. */
export function formatPath(path: Path): string {
  return path
    .map((step) => {
      if ("attribute" in step) return `.${step.attribute}`;
      return "key" in step ? `[${JSON.stringify(step.key)}]` : `[${step.index}]`;
    })
    .join("")
    .replace(/^\./, "");
}

/**
 * The part of a path that Terraform can show: an attribute, or one element of it. It takes anything deeper for a block,
 * finds none, and shows the first line of the resource or an attribute of the same name at the top level (terraform:
 * internal/tfdiags/contextual.go).
 */
export function showable(path: Path): Path {
  const [first, second] = path;
  if (first === undefined || second === undefined) return path;
  return "attribute" in second ? [first] : [first, second];
}
