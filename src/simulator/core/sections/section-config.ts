import { createHash } from "node:crypto";
import { die } from "../kernel/failure.ts";
import { splitList } from "../schema/format.ts";
import type { Properties } from "../schema/schema.ts";
import type { ConfigSection, SectionOptions } from "../world/section.ts";
import { trimmed } from "./section-text.ts";

/*
 * PVE::SectionConfig (pve-common): the format of storage.cfg, ha/resources.cfg, mapping/*.cfg and others, and the rules
 * for creating and changing sections.
 */

/**
 * What a type of section allows: options that are optional, that cannot be changed later, that may have several lines.
 */
export type OptionRules = Readonly<
  Record<string, { readonly optional?: true; readonly fixed?: true; readonly lines?: true }>
>;

/** `check_config` when a section is created. */
export function checkNewSection(rules: OptionRules, given: SectionOptions): void {
  checkValues(rules, given);
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.optional === undefined && given[name] === undefined) {
      die(`missing value for required option '${name}'`);
    }
  }
}

/** `check_config` when a section is changed. */
export function checkSectionUpdate(rules: OptionRules, given: SectionOptions): void {
  for (const name of Object.keys(given)) {
    if (rules[name]?.fixed !== undefined) {
      die(`can't change value of fixed parameter '${name}'`);
    }
  }
  checkValues(rules, given);
}

function checkValues(rules: OptionRules, given: SectionOptions): void {
  for (const [name, value] of Object.entries(given)) {
    const rule = rules[name] ?? die(`unexpected property '${name}'`);
    if (rule.lines === undefined) {
      refuseLineFeeds({ [name]: value });
    }
  }
}

/** `check_value`: each value is one line of the file. */
export function refuseLineFeeds(given: SectionOptions): void {
  if (
    Object.values(given)
      .flat()
      .some((value) => /[\n\r]/.test(value))
  ) {
    die("property contains a line feed");
  }
}

/** `delete_from_config`: the checks on a `delete` parameter; returns the names. */
export function checkDeletions(rules: OptionRules, list: string | undefined, given: SectionOptions): string[] {
  const names = splitList(list ?? "");
  for (const name of names) {
    const rule = rules[name] ?? die(`no such option '${name}'`);
    if (rule.optional === undefined) {
      die(`unable to delete required option '${name}'`);
    }
    if (rule.fixed !== undefined) {
      die(`unable to delete fixed option '${name}'`);
    }
    if (given[name] !== undefined) {
      die(`cannot set and delete property '${name}' at the same time!`);
    }
  }
  return names;
}

/** The options after setting and deleting, as they are read back. Empty options are not written to the file. */
export function changedOptions<T extends SectionOptions>(options: T, given: T, deleted: readonly string[] = []): T {
  const merged = Object.entries({ ...options, ...given }).map(([name, value]) => [name, trimmed(value)] as const);
  return Object.fromEntries(
    merged.filter(([name, value]) => !deleted.includes(name) && value !== "" && !(name === "disable" && value === "0")),
  ) as T;
}

/** One section as in the file: `comment` and `disable` first, then the required options, then the others. */
function formatSection(id: string, { type, options }: ConfigSection, rules: OptionRules): string {
  const lines = [`${type}: ${id}`];
  const add = (name: string) => {
    for (const value of [options[name] ?? []].flat()) {
      lines.push(`\t${name} ${value}`);
    }
  };
  add("comment");
  if (options["disable"] !== undefined) {
    lines.push("\tdisable");
  }
  const names = Object.keys(rules)
    .filter((name) => name !== "comment" && name !== "disable")
    .sort();
  const isRequired = (name: string) => rules[name]?.optional === undefined;
  for (const name of [...names.filter(isRequired), ...names.filter((name) => !isRequired(name))]) {
    add(name);
  }
  return `${lines.join("\n")}\n\n`;
}

/** The digest that PVE answers and compares: SHA-1 of the whole file, so that it changes with every section. */
export function sectionsDigest(
  sections: Readonly<Record<string, ConfigSection>>,
  rulesOf: (type: string) => OptionRules,
): string {
  const text = Object.entries(sections).map(([id, section]) => formatSection(id, section, rulesOf(section.type)));
  return sha1(text.join(""));
}

export function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

/** `assert_if_modified`. */
export function assertDigest(current: string, expected: string | undefined): void {
  if (expected !== undefined && expected !== "" && expected !== current) {
    die("detected modified configuration - file changed by other user? Try again.");
  }
}

/** Options with the types in which PVE answers them: numbers and booleans of the schema are numbers. */
export function typedOptions(options: SectionOptions, properties: Properties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const type = properties[name]?.type;
      const numeric = type === "boolean" || type === "integer" || type === "number";
      return [name, numeric ? Number(value) : value];
    }),
  );
}

/** The parameters of a request that are options of the section, as text. */
export function sectionParameters(
  given: Readonly<Record<string, string>>,
  without: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !without.includes(name)));
}
