import { pathOfOption } from "#kit";
import { attributes } from "./attributes.ts";

/** The attributes that options of PVE belong to, each once, for messages. */
export const attributesOf = (options: readonly string[]): string =>
  [...new Set(options.map((option) => `\`${pathOfOption(attributes, option)?.join(".") ?? nameOf(option)}\``))].join(
    ", ",
  );

/** Attributes whose options are read and written by code of their own. */
const nameOf = (option: string): string => (option === "env" ? "env" : option);
