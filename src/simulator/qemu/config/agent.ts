import { type Parsed, parsePropertyString } from "../../core/schema/property-string.ts";
import { agentFormat } from "./device-formats.ts";
import { isTrue } from "./perl.ts";

/** `parse_guest_agent`: a disabled agent has no other properties. */
export function parseAgent(text: string | undefined): Parsed {
  if (text === undefined) {
    return {};
  }
  const agent = parsePropertyString(agentFormat, text);
  return isTrue(agent["enabled"]) ? agent : {};
}

export function isAgentEnabled(text: string | undefined): boolean {
  return isTrue(parseAgent(text)["enabled"]);
}
