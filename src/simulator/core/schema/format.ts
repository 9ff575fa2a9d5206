/** The form of a string beyond its type; PVE::JSONSchema::register_format. */
export interface Format {
  /** Its name in PVE; undefined for a property string that PVE describes in place. */
  readonly name: string | undefined;
  /** Throws `die(text)` on an invalid value. `path` is the place of the value, for texts that name a sub-key. */
  verify(value: string, path: string): void;
}

export interface NamedFormat extends Format {
  readonly name: string;
  verify(value: string): void;
}

export function namedFormat(name: string, verify: (value: string) => void): NamedFormat {
  return { name, verify };
}

/**
 * PVE::ParseUtils::split_list: splits at NUL bytes if there are any, otherwise at any mix of commas, semicolons and
 * blanks.
 */
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

/** The `-opt` form of a format: values that are false in Perl are not checked. */
export function optionalOf(format: NamedFormat): NamedFormat {
  return namedFormat(`${format.name}-opt`, (value) => {
    if (value !== "" && value !== "0") {
      format.verify(value);
    }
  });
}
