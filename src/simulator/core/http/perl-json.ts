/** Where the server decodes a body; Perl's `die` adds it to the text. */
const position = "at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.";

/**
 * The object in a JSON body. The server sends the errors of JSON::XS and Perl to the client unchanged, so the texts are
 * theirs.
 */
export function decodeJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${new Scanner(text).error()} ${position}`);
  }
  if (Array.isArray(value)) {
    throw new Error(`Not a HASH reference ${position}`);
  }
  if (value === null || typeof value !== "object") {
    throw new Error(`Can't use string ("${value}") as a HASH ref while "strict refs" in use ${position}`);
  }
  return value as Record<string, unknown>;
}

class JsonError extends Error {}

/** Scans text that is not JSON for the first error that JSON::XS would report. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  error(): string {
    try {
      this.#value();
      this.#blanks();
      this.#fail("garbage after JSON object");
    } catch (thrown) {
      if (thrown instanceof JsonError) {
        return thrown.message;
      }
      throw thrown;
    }
  }

  #fail(what: string): never {
    const rest = this.#text.slice(this.#at);
    const before = rest === "" ? "(end of string)" : rest.slice(0, 20) + (rest.length > 20 ? "..." : "");
    throw new JsonError(`${what}, at character offset ${this.#at} (before "${before}")`);
  }

  #value(): void {
    this.#blanks();
    const first = this.#text[this.#at];
    if (first === "{") {
      this.#object();
    } else if (first === "[") {
      this.#array();
    } else if (first === '"') {
      this.#string();
    } else {
      this.#atom();
    }
  }

  #object(): void {
    this.#at++;
    this.#blanks();
    if (this.#take("}")) {
      return;
    }
    do {
      this.#blanks();
      if (this.#text[this.#at] !== '"') {
        this.#fail("malformed JSON string, neither tag, array, object, number, string or atom");
      }
      this.#string();
      this.#blanks();
      if (!this.#take(":")) {
        this.#fail("':' expected");
      }
      this.#value();
      this.#blanks();
    } while (this.#take(","));
    if (!this.#take("}")) {
      this.#fail(", or } expected while parsing object/hash");
    }
  }

  #array(): void {
    this.#at++;
    this.#blanks();
    if (this.#take("]")) {
      return;
    }
    do {
      this.#value();
      this.#blanks();
    } while (this.#take(","));
    if (!this.#take("]")) {
      this.#fail(", or ] expected while parsing array");
    }
  }

  #string(): void {
    const match = /^"(?:[^"\\\n]|\\.)*"/.exec(this.#text.slice(this.#at));
    if (match === null) {
      this.#at = this.#text.length;
      this.#fail("unexpected end of string while parsing JSON string");
    }
    this.#at += match[0].length;
  }

  #atom(): void {
    const match = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(this.#text.slice(this.#at));
    if (match === null) {
      this.#fail("malformed JSON string, neither tag, array, object, number, string or atom");
    }
    this.#at += match[0].length;
  }

  #blanks(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) {
      this.#at++;
    }
  }

  #take(token: string): boolean {
    const found = this.#text[this.#at] === token;
    this.#at += found ? 1 : 0;
    return found;
  }
}
