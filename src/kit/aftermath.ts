import { Failure } from "#framework";

const aftermaths = new WeakMap<object, string>();

/** Adds to an error what the failure leaves behind and what to do about it: the last paragraph of its message. */
export function withAftermath(reason: unknown, text: string): unknown {
  if (reason instanceof Failure) {
    const { summary, detail, path, cause } = reason;
    return new Failure(summary, `${detail}\n\n${text}`, { path, cause });
  }
  if (typeof reason === "object" && reason !== null) aftermaths.set(reason, text);
  return reason;
}

export const aftermathOf = (reason: object): string => aftermaths.get(reason) ?? "";
