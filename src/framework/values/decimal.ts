/**
 * A number that a JavaScript `number` cannot hold exactly, such as `0.12345678901234567890`. Terraform's numbers have
 * arbitrary precision; this class holds one as decimal text in a canonical form, so equal numbers have equal text.
 */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The nearest double. */
  toNumber(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}
