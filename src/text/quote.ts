/** What a further line of a quotation begins with. No line of our own text begins so. */
export const quoteMark = "  | ";

/** Words of others inside our own text: their line feeds must not begin a line that looks like ours. */
export const quote = (text: string): string => text.trim().replaceAll(/[\r\n]+(?: {2}\| )?/g, `\n${quoteMark}`);
