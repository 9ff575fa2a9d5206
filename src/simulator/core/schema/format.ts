/** What a string must look like beyond its type; PVE::JSONSchema::register_format. */
export interface Format {
  /** PVE's name of it; undefined for a property string that PVE describes on the spot. */
  readonly name: string | undefined;
  /** Throws `die(text)` on a bad value. `path` is where the value stands, for texts that name a sub-key. */
  verify(value: string, path: string): void;
}

export interface NamedFormat extends Format {
  readonly name: string;
  verify(value: string): void;
}

export function namedFormat(name: string, verify: (value: string) => void): NamedFormat {
  return { name, verify };
}

/** PVE::ParseUtils::split_list: NUL bytes separate if there are any, else commas, semicolons and blanks in any mix. */
export function splitList(text: string): string[] {
  return text.includes("\0") ? text.split("\0") : text.split(/[,;\s]+/).filter((item) => item !== "");
}

/** The `-list` form of a format; an empty list is allowed. */
export function listOf(format: NamedFormat): NamedFormat {
  return namedFormat(`${format.name}-list`, (value) => {
    for (const item of splitList(value)) {
      format.verify(item);
    }
  });
}

/** The `-opt` form of a format: values that Perl takes for false are not looked at. */
export function optionalOf(format: NamedFormat): NamedFormat {
  return namedFormat(`${format.name}-opt`, (value) => {
    if (value !== "" && value !== "0") {
      format.verify(value);
    }
  });
}
