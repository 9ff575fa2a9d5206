import type { ConfigDraft, Members, WiredAttribute } from "#kit";
import { observeSettings } from "../guest/observe.ts";
import { settings } from "./attributes.ts";

/** The settings of a VM. Text for cloud-init is in the state only, so an empty drive is no reason to forget it. */
export function observeVmSettings(draft: ConfigDraft, expected: Members | null): Members {
  const shown = observeSettings(settings, draft, expected);
  const isTextKept = shown["cloud_init"] === null && hasText(expected?.["cloud_init"]);
  return isTextKept ? { ...shown, cloud_init: emptyCloudInit } : shown;
}

const hasText = (expected: unknown): boolean =>
  typeof expected === "object" &&
  expected !== null &&
  (("user_data" in expected && typeof expected.user_data === "string") ||
    ("data_version" in expected && typeof expected.data_version === "number"));

const { shape } = settings.cloud_init.type;
const emptyCloudInit: Members = Object.fromEntries(
  Object.entries(shape.kind === "nested" ? shape.attributes : {}).flatMap(([name, attribute]) =>
    (attribute as WiredAttribute).local || attribute.writeOnly ? [] : [[name, null]],
  ),
);
