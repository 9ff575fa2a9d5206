import { list, matches, nested, parseDuration, string } from "#kit";
import { behaviour, cloneSource, ofSource, outputs, placement, restoreSource } from "../guest/attributes.ts";
import { beforeChange } from "../guest/before-change-attribute.ts";
import { ha } from "../guest/ha-attribute.ts";
import { publicKey } from "../guest/validate/public-key.ts";
import { devices } from "./blocks/devices.ts";
import { environment } from "./blocks/environment.ts";
import { features } from "./blocks/features.ts";
import { mounts } from "./blocks/mounts.ts";
import { networks } from "./blocks/networks.ts";
import { options } from "./blocks/options.ts";

/** What is stored in the container's configuration: one `wire` each, read and patched by the kit. */
export const settings = {
  ...options,
  ...mounts,
  ...networks,
  ...devices,
  ...features,
  ...environment,
} as const;

/** What a container is made from, besides another container. */
const sources = {
  image: {
    type: nested({
      volume: {
        // Only root@pam may give a path of the host, and no token of that user.
        type: string({
          check: matches(/^[A-Za-z][\w.-]*:vztmpl\/\S+$/, "a volume ID such as `local:vztmpl/debian.tar.zst`"),
        }),
        mode: "required",
        replace: ofSource,
        doc: "Container template, such as `local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst`: `volume_id` of a `proxmox_container_template`, `proxmox_oci_image`, `proxmox_download` or `proxmox_file`.",
      },
    }),
    mode: "optional",
    local: true,
    doc: "Makes the container from a template file or an OCI image. Read only when it is created, as `clone` is.",
  },
  password: {
    type: string({ check: (text) => (text.length < 5 ? "Must have at least 5 characters." : undefined) }),
    mode: "optional",
    writeOnly: true,
    sensitive: true,
    undo: "ignore",
    onlyAtCreation: true,
    doc: "Password of root in a container made from `image`; never stored. Without it root has none, and cannot log in with one. Used at creation only: Proxmox VE cannot change it later.",
  },
  ssh_keys: {
    type: list(string({ check: publicKey })),
    mode: "optional",
    local: true,
    onlyAtCreation: true,
    doc: "Public keys that may log in as root in a container made from `image`. Used at creation only: Proxmox VE cannot change them later.",
  },
  wait_for_address: {
    type: string({
      check: (text) => (parseDuration(text) === null ? "Must be a duration such as `30s` or `2m`." : undefined),
    }),
    mode: "optional",
    local: true,
    doc: "How long to wait for an address after a start, such as `30s`; with it, `ip_addresses` are read from the container. Not given: no waiting, and addresses as configured.",
  },
} as const;

export const attributes = {
  ...placement("container"),
  ...cloneSource("container", {}),
  ...restoreSource("container", "where the volumes of the backed-up container were", {}),
  ...sources,
  ...settings,
  ...ha("container"),
  ...behaviour("container"),
  ...beforeChange("container", {}),
  ...outputs("from the container where `wait_for_address` is set, else as configured"),
} as const;

export type ContainerAttributes = typeof attributes;
