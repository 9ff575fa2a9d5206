import { splitList } from "../../core/schema/format.ts";
import { defaultHotplug } from "./options.ts";

/** `parse_hotplug_features`: `0` is none, `1` or a missing value the default. */
export function hotplugFeatures(hotplug = "1"): ReadonlySet<string> {
  return new Set(hotplug === "0" ? [] : splitList(hotplug === "1" ? defaultHotplug : hotplug));
}
