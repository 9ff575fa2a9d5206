/** How the `regex` crate refuses an expression; undefined for one that it takes. */
export function regexProblem(pattern: string): string | undefined {
  const found = unsupported(pattern) ?? unreadable(pattern);
  if (found === undefined) {
    return undefined;
  }
  const marks = " ".repeat(found.at) + "^".repeat(found.length ?? 1);
  return `regex parse error:\n    ${pattern}\n    ${marks}\nerror: ${found.reason}`;
}

interface Problem {
  readonly at: number;
  readonly length?: number;
  readonly reason: string;
}

function unsupported(pattern: string): Problem | undefined {
  const around = /\(\?<?[=!]/.exec(pattern);
  if (around !== null) {
    const reason = "look-around, including look-ahead and look-behind, is not supported";
    return { at: around.index, length: around[0].length, reason };
  }
  const reference = /(?<=^|[^\\])(?:\\\\)*\\[1-9]/.exec(pattern);
  return reference === null
    ? undefined
    : {
        at: reference.index + reference[0].length - 2,
        length: 2,
        reason: "backreferences are not supported",
      };
}

function unreadable(pattern: string): Problem | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (thrown) {
    const text = (thrown as Error).message;
    if (/character class/.test(text)) {
      return { at: pattern.lastIndexOf("["), reason: "unclosed character class" };
    }
    if (/Unterminated group/.test(text)) {
      return { at: pattern.lastIndexOf("("), reason: "unclosed group" };
    }
    if (/Unmatched '\)'/.test(text)) {
      return { at: pattern.lastIndexOf(")"), reason: "unopened group" };
    }
    return { at: Math.max(0, pattern.search(/[*+?]/)), reason: "repetition operator missing expression" };
  }
}
