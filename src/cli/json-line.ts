/** The output of commands for programs: one line, with names in Terraform's style. */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value, (_, part: unknown) => (isPlain(part) ? withSnakeCase(part) : part))}\n`;
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const withSnakeCase = (object: object): object =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
