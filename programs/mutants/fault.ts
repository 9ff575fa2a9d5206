/** A fault as a change of the text of one source file, and the tests that must fail with it. */
export interface Fault {
  /** What the program does wrong with it, as a sentence without its end. */
  readonly name: string;
  /** The source file. */
  readonly file: string;
  /** The text that is replaced. The file has it exactly once. */
  readonly find: string;
  readonly put: string;
  readonly suite: Suite;
}

export interface Suite {
  readonly project: "unit" | "contract";
  /** One file of tests, so that a run takes seconds. */
  readonly file: string;
  /** Only the tests whose names contain this text. */
  readonly test?: string;
}

export const unit = (file: string, test?: string): Suite => suite("unit", file, test);
export const contract = (file: string, test?: string): Suite => suite("contract", file, test);

const suite = (project: Suite["project"], file: string, test: string | undefined): Suite => ({
  project,
  file: `test/${project}/${file}.test.ts`,
  ...(test !== undefined && { test }),
});

/** The source with the fault in it. */
export function plantIn(source: string, { name, file, find, put }: Fault): string {
  const places = source.split(find).length - 1;
  if (places === 1) return source.replace(find, () => put);
  const found = places === 0 ? "does not have" : `has ${places} times`;
  throw new Error(`the fault "${name}" cannot be planted: ${file} ${found} the text\n${find}`);
}
