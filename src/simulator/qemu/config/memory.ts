import { parsePropertyString } from "../../core/schema/property-string.ts";
import { memoryFormat } from "./device-formats.ts";

/** `get_current_memory`: MiB of a `memory` option, 512 by default. */
export function memoryMiB(text: string | undefined): number {
  return text === undefined ? 512 : Number(parsePropertyString(memoryFormat, text)["current"]);
}
