/** Options of a section as its configuration file holds them; an array stands for one line each. */
export type SectionOptions = Record<string, string | string[]>;

/** A section of a configuration file such as ha/resources.cfg or mapping/pci.cfg. */
export interface ConfigSection {
  readonly type: string;
  options: SectionOptions;
}
