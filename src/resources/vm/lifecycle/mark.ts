import { randomUUID } from "node:crypto";

/**
 * A VM that is being made carries a mark in its description from the very call that makes it until it is complete. Who
 * finds the mark knows that the work was cut off, and that nobody else can have been meant.
 */
const shape = /\n*<!-- terraform-provider-proxmox: being made, ([0-9a-f-]{36}) -->\s*$/;

export const newMark = (): string => randomUUID();

export const withMark = (description: string | null | undefined, mark: string): string => {
  const text = withoutMark(description ?? "");
  return `${text === "" ? "" : `${text}\n\n`}<!-- terraform-provider-proxmox: being made, ${mark} -->`;
};

export const withoutMark = (description: string): string => description.replace(shape, "").trimEnd();

export const markOf = (description: string | undefined): string | null => shape.exec(description ?? "")?.[1] ?? null;
