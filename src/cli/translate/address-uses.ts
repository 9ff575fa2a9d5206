/** Where a folder reads addresses that guests report. */
export interface AddressUses {
  readonly isAny: boolean;
  /** In a provisioner, by `self`. */
  readonly isSelf: boolean;
  /** Addresses of resources whose instances a `for` visits. */
  readonly looped: ReadonlySet<string>;
  /** Addresses of resources that are named where it is read. */
  readonly direct: ReadonlySet<string>;
}

const wanted = "\\.(?:ipv[46]_addresses|default_ipv[46]_address|ssh_host)";
const any = new RegExp(wanted);
const self = new RegExp(`self${wanted}`);
const loop = /\bin (?:values\()?((?:data\.)?[\w-]+\.[\w-]+)/g;
const reading = new RegExp(
  `(?<![\\w-])((?:data\\.)?[\\w-]+\\.[\\w-]+)(?:\\[[^\\]\\n]{0,200}\\]|\\.\\*)?${wanted}`,
  "g",
);

/** One pass over all texts: a pattern for each resource would keep compiled code for each. */
export function addressUsesIn(texts: readonly string[]): AddressUses {
  const found = (pattern: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, address = ""]) => address)));
  const isAny = texts.some((text) => any.test(text));
  return {
    isAny,
    isSelf: texts.some((text) => self.test(text)),
    looped: isAny ? found(loop) : new Set(),
    direct: isAny ? found(reading) : new Set(),
  };
}
