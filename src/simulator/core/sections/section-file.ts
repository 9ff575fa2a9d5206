import type { Call } from "../kernel/endpoint.ts";
import type { Permissions } from "../kernel/permission.ts";
import type { Properties, StringSchema } from "../schema/schema.ts";
import type { ConfigSection, SectionOptions } from "../world/section.ts";
import type { World } from "../world/world.ts";
import { type OptionRules, sectionsDigest, typedOptions } from "./section-config.ts";

export type SectionRead = "list" | "read";
export type SectionAction = "create" | "update" | "delete";

/** A section as an answer shows it. */
export type SectionEntry = Record<string, unknown>;

/** A section about to be written. */
export interface SectionChange {
  readonly call: Call;
  readonly id: string;
  /** The new state; a check may complete its options. */
  readonly section: ConfigSection;
  /** The previous state; undefined for a new section. */
  readonly before: ConfigSection | undefined;
  /** The options of the request. */
  readonly given: SectionOptions;
}

/** A file of sections and how the API serves it: list, read, create, update and delete. */
export interface SectionFile {
  /** Path of the list; a section is one level below it. */
  readonly path: string;
  /** The parameter that names a section. */
  readonly key: string;
  readonly id: StringSchema;
  /** The `type` parameter of a create; a text for a file with one type only. */
  readonly type: StringSchema | string;
  /** Options that a request may contain; `changes` if an update accepts others. */
  readonly options: Properties;
  readonly changes?: Properties;
  /** Further parameters: placeholders of the path, those of one call and those of all writes. */
  readonly parameters?: Readonly<Partial<Record<SectionRead | SectionAction | "path" | "write", Properties>>>;
  /** The create is a POST to the section's own path. */
  readonly createsByPath?: true;
  /** The options that a create or update accepts depend on `type`. */
  readonly knowsByType?: true;
  /** An update has no digest parameter. */
  readonly withoutDigest?: true;
  /** Reads that run in pvedaemon. */
  readonly protectedReads?: readonly SectionRead[];
  readonly permissions: Readonly<Record<SectionRead | SectionAction, Permissions>>;

  sections(world: World): Record<string, ConfigSection>;
  rulesOf(type: string): OptionRules;
  /** The digest of the file; computed from its sections by default. */
  digest?(world: World): string;
  /** Texts for a name that already exists and for one that does not exist. */
  readonly texts: { exists(id: string): string; missing(id: string, action: SectionRead | SectionAction): string };
  /** Checks before the lock is taken, such as privileges that depend on the section. */
  guard?(call: Call, action: SectionRead | SectionAction): void;
  /** The id of the section in question; the parameter `key` by default. */
  idOf?(call: Call, action: SectionRead | SectionAction): string;

  /** The sections as a reader sees them, by id; by default id, typed options, type and digest, in order of their ids. */
  view?(call: Call, action: SectionRead): Record<string, SectionEntry>;
  isListed?(call: Call, id: string, entry: SectionEntry): boolean;
  /** Checks of a read that need the section. */
  checkRead?(call: Call, entry: SectionEntry): void;

  /** Runs the change under the file's lock, with PVE's prefix in front of an error. */
  change<T>(call: Call, action: SectionAction, body: () => T | Promise<T>): Promise<T>;
  /** The type of a new section; the parameter `type` by default. */
  typeOf?(call: Call): string;
  /** `decode_value`: what a checked request means; dies if it is no text. */
  decode?(given: SectionOptions): SectionOptions;
  /** Texts are written as they are, without an encoding for characters beyond ASCII. */
  readonly rawTexts?: true;
  /** Converts the options of a request to the form in which they are stored. */
  normalize?(given: SectionOptions): SectionOptions;
  /** `check_config` for a section of that type. */
  checkOptions?(call: Call, type: string, given: SectionOptions, action: "create" | "update"): void;
  /**
   * When a create checks the options: before the lock is taken by default, under the lock, or after the name was found
   * to be free.
   */
  readonly checks?: "under lock" | "when free";
  /** Whether the name is in use; by default whether the file has a section of that name. */
  exists?(world: World, id: string): boolean;
  /** `delete_from_config`: the options that an update deletes. */
  deletions?(rules: OptionRules, list: string | undefined, given: SectionOptions): string[];
  /** `on_add_hook` and `on_update_hook`: further checks of a new or changed section. */
  verify?(change: SectionChange): unknown;
  /** Writes the section to the file. */
  store?(change: SectionChange): void;
  /** The answer of a create or update, with the result of `verify`; null by default. */
  answer?(change: SectionChange, verified: unknown): unknown;
  /** `on_delete_hook`. */
  verifyDelete?(call: Call, id: string, section: ConfigSection | undefined): void;
  /** Removes the section from the file. */
  remove?(call: Call, id: string): void;
  /** An update searches for the section before it compares the digest. */
  readonly findsBeforeDigest?: true;
  /** Deleting a section that does not exist succeeds. */
  readonly deletesMissing?: true;
}

export function digestOf(file: SectionFile, world: World): string {
  return file.digest?.(world) ?? sectionsDigest(file.sections(world), file.rulesOf);
}

/** A section with its options in the types in which PVE answers them. */
export function typedSection({ options }: SectionFile, section: ConfigSection): SectionEntry {
  return { ...typedOptions(section.options, options), type: section.type };
}

/** The sections as in the file, with the digest of the file. */
export function plainSections(file: SectionFile, world: World): Record<string, SectionEntry> {
  const sections = file.sections(world);
  const digest = digestOf(file, world);
  return Object.fromEntries(
    Object.keys(sections)
      .sort()
      .map((id) => [id, { [file.key]: id, ...typedSection(file, sections[id] as ConfigSection), digest }]),
  );
}
