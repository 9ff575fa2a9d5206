const parts = (line: string): string => line.split(",").sort().join();

/** Whether two lines of a slot say the same, in any order: PVE prints lines anew, and compares them as texts. */
export const isSameLine = (one: string, other: string): boolean => one === other || parts(one) === parts(other);
