/** Where in a configuration a value lives: a whole option, or one sub-key of a packed one. */
export interface Place {
  readonly option: string;
  readonly key: string | null;
}

/**
 * Reads the `wire` of an attribute: `"cores"`, `"cpu/cputype"`; inside a map keyed by slot also `"{slot}/bridge"` and,
 * for an option that goes with it by number, `"ipconfig{n}/ip"`.
 */
export function placeOf(wire: string, slot: string | null): Place {
  const [option = "", key = null] = wire.split("/");
  return { option: optionOf(option, slot), key };
}

function optionOf(template: string, slot: string | null): string {
  if (slot === null) return template;
  return template.replace("{slot}", slot).replace("{n}", /\d+$/.exec(slot)?.[0] ?? "");
}
