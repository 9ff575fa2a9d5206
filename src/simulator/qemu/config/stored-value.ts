import { die, failureText } from "../../core/kernel/failure.ts";
import { parseBoolean } from "../../core/schema/property-string.ts";
import type { Section } from "../../core/world/guest.ts";
import { configOptions } from "./options.ts";

/** `check_type`: the value as the configuration file stores it. */
function writtenValue(key: string, value: string | undefined): string {
  const schema = configOptions[key] ?? die(`unknown setting '${key}'`);
  if (value === undefined) {
    die("got undefined value");
  }
  if (/[\n\r]/.test(value)) {
    die("property contains a line feed");
  }
  switch (schema.type) {
    case "boolean":
      return parseBoolean(value) ?? die(`type check ('boolean') failed - got '${value}'`);
    case "integer":
      return /^\d+$/.test(value) ? String(Number(value)) : die(`type check ('integer') failed - got '${value}'`);
    case "number":
      return /^\d+(?:\.\d+)?$/.test(value) ? value : die(`type check ('number') failed - got '${value}'`);
    case "string":
      if (schema.format === undefined) {
        return value.replace(/^"(.*)"$/, "$1");
      }
      schema.format.verify(value, "");
      return value;
    default:
      return die("internal error");
  }
}

/**
 * The value of a line when the file is read again: without surrounding blanks, an empty one as a single blank, and
 * missing if it no longer passes its format.
 */
function readBack(key: string, value: string): string | undefined {
  const read = value.trim() === "" ? " " : value.trim();
  const schema = configOptions[key];
  if (read !== value && schema?.type === "string" && schema.format !== undefined) {
    try {
      schema.format.verify(read, "");
    } catch {
      return undefined;
    }
  }
  return read;
}

/** A section after it was written to the file and read again (`write_vm_config`, `parse_vm_config`). */
export function storeSection({ description, ...options }: Record<string, string | undefined>): Section {
  const stored: Section = {};
  for (const [key, value] of Object.entries(options)) {
    let written: string;
    try {
      written = writtenValue(key, value);
    } catch (thrown) {
      die(`unable to parse value of '${key}' - ${failureText(thrown)}`);
    }
    const read = readBack(key, written);
    if (read !== undefined) {
      stored[key] = read;
    }
  }
  const comment = description?.replace(/\s+$/, "");
  // Truth in Perl: a description of "0" is not written either.
  return comment === undefined || comment === "" || comment === "0" ? stored : { ...stored, description: comment };
}

/** The section as the API answers it: integers and booleans as numbers, all other values as text. */
export function typedSection(section: Section): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(section).map(([key, value]) => {
      const type = configOptions[key]?.type;
      return [key, type === "integer" || type === "boolean" ? Number(value) : value];
    }),
  );
}
