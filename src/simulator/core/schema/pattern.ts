const compiled = new Map<string, RegExp>();

/** Perl's `$value =~ m/^$pattern$/`: the whole value, but a final newline is ignored. */
export function matches(pattern: string, value: string, flags: "" | "i" = ""): boolean {
  const key = `${flags}/${pattern}`;
  let expression = compiled.get(key);
  if (expression === undefined) {
    expression = new RegExp(`^(?:${pattern})\\n?$`, flags);
    compiled.set(key, expression);
  }
  return expression.test(value);
}
