/** What a mapping means on one node, by PVE's names. */
export type MapEntry = Readonly<Record<string, string>>;

/** `node=pve1,path=/srv`: a property string without a default key (pve-guest-common: src/PVE/Mapping/*.pm). */
export const parseEntry = (line: string): MapEntry =>
  Object.fromEntries(line.split(",").map((part) => [part.replace(/=.*/s, ""), part.replace(/^[^=]*=/, "")]));

/** In the order PVE prints it, so that lines can be compared; what is null is left out. */
export const printEntry = (entry: Readonly<Record<string, string | number | null>>): string =>
  Object.entries(entry)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
