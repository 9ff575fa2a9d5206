/** Options of a section as in its configuration file; an array has one line per entry. */
export type SectionOptions = Record<string, string | string[]>;

/** A section of a configuration file such as ha/resources.cfg or mapping/pci.cfg. */
export interface ConfigSection {
  readonly type: string;
  options: SectionOptions;
}
