import { namedFormat } from "../../core/schema/format.ts";
import { volumeIdFormat } from "../../storage/formats.ts";

export const volumeIdOrPathFormat = namedFormat("pve-volume-id-or-absolute-path", (value) => {
  if (!value.startsWith("/")) {
    volumeIdFormat.verify(value);
  }
});

/** Also the two words that a CD drive may have instead of a volume. */
export const volumeIdOrQmPathFormat = namedFormat("pve-volume-id-or-qm-path", (value) => {
  if (value !== "none" && value !== "cdrom") {
    volumeIdOrPathFormat.verify(value);
  }
});
