import { sourceAddress } from "../../source-address.ts";
import type { Adopted } from "./collect.ts";
import { block, Expression } from "./hcl.ts";
import { Secret } from "./smallest.ts";
import { tableBlocks } from "./table-blocks.ts";

const fileOf = (area: string): string => `${area.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_") || "other"}.tf`;

const provider = `terraform {
  required_providers {
    proxmox = {
      source = "${sourceAddress.split("/").slice(-2).join("/")}"
    }
  }
}

provider "proxmox" {}
`;

/** What is required, and is in the request that made the object: Proxmox VE does not store it. */
function remarkOn({ values, reported }: Adopted): string {
  const open = Object.keys(values).filter((name) => values[name] === null);
  if (open.length === 0) return "";
  const names = open.map((name) => `\`${name}\``).join(" and ");
  const said = reported === null ? "" : ` The node reports: ${reported.replaceAll(/[^\x20-\x7e]/g, "?")}.`;
  return `# Proxmox VE does not store ${names}: null leaves that open, and a value can be written later.${said}\n`;
}

/** The blocks of an object; those of a table stand where its first row is. */
function blocksOf(one: Adopted, all: readonly Adopted[]): string[] {
  const { type, name, importId, values, table } = one;
  if (table === null) {
    return [
      block("import", { to: new Expression(`${type}.${name}`), id: importId }),
      `${remarkOn(one)}${block(`resource "${type}" "${name}"`, values)}`,
    ];
  }
  const rows = all.filter((other) => other.table === table);
  return rows[0] === one ? tableBlocks(type, table, rows) : [];
}

/** Variables in the place of secrets, which the user has to give. */
function withVariables(value: unknown, path: string, variables: Map<string, unknown>): unknown {
  if (value instanceof Secret) {
    variables.set(path, value.value);
    return new Expression(`var.${path}`);
  }
  if (Array.isArray(value)) return value.map((one, index) => withVariables(one, `${path}_${index}`, variables));
  if (typeof value !== "object" || value === null || value instanceof Expression) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withVariables(one, `${path}_${name}`, variables)]),
  );
}

const variableBlock = ([name, value]: readonly [string, unknown]): string => {
  const type = typeof value === "object" && value !== null ? "map(string)" : "string";
  return block(`variable "${name}"`, { type: new Expression(type), sensitive: true });
};

/** A configuration: its files by name, and the secrets that it needs. */
export interface Configuration {
  readonly files: ReadonlyMap<string, string>;
  /** By name: their values, as far as Proxmox VE shows them. */
  readonly variables: ReadonlyMap<string, unknown>;
}

/** The files of a configuration, by name. */
export function configurationOf(adopted: readonly Adopted[]): Configuration {
  const variables = new Map<string, unknown>();
  const ready = adopted.map((one) => {
    const path = `${one.type.replace("proxmox_", "")}_${one.name}`;
    return { ...one, values: withVariables(one.values, path, variables) as Adopted["values"] };
  });
  const areas = Map.groupBy(ready, ({ area }) => fileOf(area));
  const files = new Map([
    ["provider.tf", provider],
    ...[...areas]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, members]): [string, string] => [file, members.flatMap((one) => blocksOf(one, members)).join("\n")]),
  ]);
  if (variables.size > 0) files.set("variables.tf", [...variables].map((one) => variableBlock(one)).join("\n"));
  return { files, variables };
}
