/** Shorter values occur in too many words to be hidden. */
const shortestSecret = 4;

/** Fields whose values are always secret. A token's id and public SSH keys are not. */
const secretName =
  /^(?:.*pass(?:word|phrase)|.*secret|.*private[-_]?key|.*ticket|csrf.*token|api[-_]?token|token|otp|authorization|cookie)$/i;

/** Secrets by their format: the value after an API token's id, a ticket, a CSRF token. */
const secretShapes: readonly [RegExp, string][] = [
  [/(@[\w.-]{1,64}![\w.-]{1,64}=)[^\s"\\,;]+/g, "$1(hidden)"],
  [/PVE:[^\s:"]{1,128}:[0-9A-F]{8}::[\w+/=]+/g, "(hidden)"],
  [/\b[0-9A-F]{8}:[\w+/]{27,}=*/g, "(hidden)"],
];

/** Holds the secrets in every form in which they may appear. */
export class Redaction {
  readonly #secrets = new Set<string>();

  hide(secret: string): void {
    if (secret.length < shortestSecret) return;
    // Plain, as inside a JSON string, and as inside a cookie or a form.
    this.#secrets.add(secret).add(JSON.stringify(secret).slice(1, -1)).add(encodeURIComponent(secret));
  }

  readonly apply = (text: string): string => {
    const known = [...this.#secrets].reduce((shown, secret) => shown.replaceAll(secret, "(hidden)"), text);
    return secretShapes.reduce((shown, [shape, instead]) => shown.replace(shape, instead), known);
  };
}

/** Fields in types that JSON can represent, without secrets, and without names that belong to the line itself. */
export function presentable(fields: object): Record<string, unknown> {
  const own = Object.entries(fields).filter(([name]) => !name.startsWith("@"));
  const text = JSON.stringify(Object.fromEntries(own), (name, value: unknown) => {
    if (secretName.test(name)) return "(hidden)";
    if (typeof value === "bigint") return String(value);
    return value instanceof Error ? (value.stack ?? value.message) : value;
  });
  return JSON.parse(text) as Record<string, unknown>;
}
