import { fixture, type Step } from "./recording.ts";
import { tokens } from "./volatile.ts";

export interface Masked {
  readonly text: string;
  readonly found: readonly { readonly kind: string; readonly value: string }[];
}

/** Generated values (MACs, UUIDs, UPIDs …) by kind: which recorded value stands for which value of this run. */
export class Identities {
  readonly #here = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  readonly #literals: ReadonlySet<string>;

  /** Values that the requests themselves contain must come back unchanged. */
  constructor(steps: readonly Step[]) {
    const sent = JSON.stringify(steps, (name, value) => (name.startsWith("expect") ? undefined : value));
    const texts = [sent, unescaped(sent)].join("\n");
    const found = tokens.filter(({ kind }) => kind !== null).flatMap(({ pattern }) => texts.match(pattern) ?? []);
    this.#literals = new Set(
      [...found, ...fixture.tokens.map(({ secret }) => secret)].map((text) => text.toLowerCase()),
    );
  }

  /** The text with everything volatile replaced. */
  mask(text: string): Masked {
    const found: { kind: string; value: string }[] = [];
    const masked = tokens.reduce(
      (rest, { kind, pattern, replacement }) =>
        rest.replace(pattern, (value: string, ...groups: unknown[]) => {
          if (kind !== null && this.#literals.has(value.toLowerCase())) {
            return value;
          }
          if (kind !== null) {
            found.push({ kind, value });
          }
          return replacement.replace(/\$(\d)/g, (_, group: string) => String(groups[Number(group) - 1] ?? ""));
        }),
      text,
    );
    return { text: masked, found };
  }

  /** Whether the two are the same thing, as far as they were met before. */
  isSame(kind: string, recorded: string, here: string): boolean {
    const [there, back] = [`${kind} ${recorded}`, `${kind} ${here}`];
    const known = this.#here.get(there);
    if (known !== undefined) {
      return known === here;
    }
    if (this.#recorded.has(back)) {
      return false;
    }
    this.#here.set(there, here);
    this.#recorded.set(back, recorded);
    return true;
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9A-Fa-f]{2})/g, "%25"));
  } catch {
    return text;
  }
}
