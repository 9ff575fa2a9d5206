import type { Input } from "../vm/suite.ts";

export type Tree = { readonly [name: string]: Input };

export const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths of all lines, blocks included. */
export const pathsOf = (tree: Tree): string[][] =>
  Object.entries(tree).flatMap(([name, value]) => [
    [name],
    ...(isTree(value) ? pathsOf(value).map((path) => [name, ...path]) : []),
  ]);

export function without(tree: Tree, [name = "", ...rest]: readonly string[]): Tree {
  const { [name]: inner, ...others } = tree;
  return rest.length > 0 && isTree(inner) ? { ...tree, [name]: without(inner, rest) } : others;
}

/** What cannot be without the other: alone it is refused, with or without a change. */
const dependents: readonly (readonly [line: string, needs: string])[] = [
  ...["mbps", "iops"].flatMap((kind) =>
    ["", "_read", "_write"].flatMap((direction): [string, string][] => [
      [`${kind}${direction}_burst`, `${kind}${direction}`],
      [`${kind}${direction}_burst_seconds`, `${kind}${direction}_burst`],
    ]),
  ),
  ["gateway", "address"],
  ["network_data", "user_data"],
  ["data_storage", "user_data"],
  ["flags", "type"],
  ["aw_bits", "viommu"],
  ["clipboard", "type"],
  ["format", "storage"],
];

/** Whether what is left is a configuration that a person could have written from the start. */
export function isComplete(config: Tree): boolean {
  const paths = pathsOf(config).map((path) => path.join("."));
  const isAlone = dependents.some(([line, needs]) =>
    paths.some((path) => path.endsWith(`.${line}`) && !paths.includes(path.replace(new RegExp(`${line}$`), needs))),
  );
  const devices = Object.values(config["usb"] ?? {});
  return !isAlone && devices.every((device) => isTree(device) && ("device" in device || "mapping" in device));
}
