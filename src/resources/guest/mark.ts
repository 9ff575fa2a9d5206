import { randomUUID } from "node:crypto";

/**
 * A guest that is being created has a mark in its description, from the call that creates it until it is complete. A
 * guest with a mark was left by an interrupted run.
 */
const shape = /\n*<!-- terraform-provider-proxmox: being made, ([0-9a-f-]{36}) -->\s*$/;

export const newMark = (): string => randomUUID();

export const withMark = (description: string | null | undefined, mark: string): string => {
  const text = withoutMark(description ?? "");
  return `${text === "" ? "" : `${text}\n\n`}<!-- terraform-provider-proxmox: being made, ${mark} -->`;
};

export const withoutMark = (description: string): string => description.replace(shape, "").trimEnd();

export const markOf = (description: string | undefined): string | null => shape.exec(description ?? "")?.[1] ?? null;
