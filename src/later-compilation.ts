/**
 * How many times as often as usual code must run before the executable's runtime, Bun, compiles it, and compiles it again to be
 * faster. A plan ends before either has paid (decision 028).
 */
const scale = 100;

/** Bun's global object, or Node's, which has no such setting. */
interface Runtime {
  readonly Bun?: { readonly unsafe: { setJITPolicy?(scale: number): void } };
}

/** For a process that lives as long as one command of Terraform. */
export function compileLater({ Bun }: Runtime = globalThis as Runtime): void {
  Bun?.unsafe.setJITPolicy?.(scale);
}
