/** An attribute of a data source that is looked up, never given. */
export const found = <T>(type: T, doc: string) => ({ type, mode: "computed", doc }) as const;
