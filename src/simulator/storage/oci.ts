import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { string } from "../core/schema/schema.ts";
import { node, storageId } from "../core/schema/standard-options.ts";
import type { OciConfig } from "../core/world/storage.ts";
import { normalizeFileName } from "./files.ts";
import { putFileChecked } from "./space.ts";
import { copySeconds, getEnabledStorage, holds, isShared } from "./storages.ts";
import { encodeWorkerId } from "./transfer.ts";
import { findVolume } from "./volumes.ts";

// Images of registries: `oci_registry_pull` of pve-storage `src/PVE/API2/Storage/Status.pm` and `query_oci_repo_tags`
// of pve-manager `PVE/API2/Nodes.pm`. Registries are simulated like all other hosts: they have every requested image.

const label = "(?:[a-zA-Z\\d]|[a-zA-Z\\d][a-zA-Z\\d-]*[a-zA-Z\\d])";
const part = "[a-z\\d]+(?:(?:[._]|__|[-]*)[a-z\\d]+)*";
const repository = `^(?:${label}(?:\\.${label})*(?::\\d+)?/)?${part}(?:/${part})*`;

const searchPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const imageBytes = 64 * 2 ** 20;

/** The processes of some well-known images; every other image starts a program with its own name. */
const known: Readonly<Record<string, OciConfig>> = {
  alpine: { cmd: ["/bin/sh"], env: [searchPath] },
  debian: { cmd: ["bash"], env: [searchPath] },
  ubuntu: { cmd: ["/bin/bash"], env: [searchPath] },
  nginx: {
    entrypoint: ["/docker-entrypoint.sh"],
    cmd: ["nginx", "-g", "daemon off;"],
    env: [searchPath, "NGINX_VERSION=1.29.3"],
  },
  redis: { entrypoint: ["docker-entrypoint.sh"], cmd: ["redis-server"], env: [searchPath] },
};

function simulatedImage(reference: string): OciConfig {
  const name = reference.replace(/:[^:/]*$/, "").replace(/^.*\//, "");
  return known[name] ?? { entrypoint: [`/usr/bin/${name}`], env: [searchPath] };
}

export const ociEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/storage/{storage}/oci-registry-pull",
    protected: true,
    proxyTo: "node",
    permissions: {
      check: [
        "and",
        ["perm", "/storage/{storage}", ["Datastore.AllocateTemplate"]],
        ["perm", "/nodes/{node}", ["Sys.AccessNetwork"]],
      ],
    },
    parameters: {
      node,
      storage: storageId,
      reference: string({ pattern: `${repository}:\\w[\\w.-]{0,127}$` }),
      filename: string({ optional: true, minLength: 1, maxLength: 255 }),
    },
    handler: (call) => {
      const { storage: id, reference } = call.params;
      const storage = getEnabledStorage(call.world, id, call.node);
      if (storage.options["path"] === undefined) {
        die(`can't upload to storage type '${storage.type}', not a file based storage!`);
      }
      if (!holds(storage, "vztmpl")) {
        die(`storage '${id}' is not configured for content-type 'vztmpl'`);
      }
      const filename = `${normalizeFileName(call.params.filename ?? reference)}.tar`;
      const volid = `${id}:vztmpl/${filename}`;
      if (findVolume(call.world, volid, call.node) !== undefined) {
        die(`refusing to override existing file '${filename}'`);
      }
      return call.worker("ociregistrypull", encodeWorkerId(filename), async (task) => {
        task.print("Getting image source signatures");
        task.print("Copying blob sha256:0000000000000000000000000000000000000000000000000000000000000000");
        await task.sleep(copySeconds(imageBytes, storage));
        task.print("Writing manifest to image destination");
        putFileChecked(task.sim.world, storage, task.node, {
          volid,
          node: isShared(storage) ? undefined : task.node,
          content: "vztmpl",
          format: "tar",
          size: imageBytes,
          ctime: task.sim.clock.stamp(),
          oci: simulatedImage(reference),
        });
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/query-oci-repo-tags",
    proxyTo: "node",
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.AccessNetwork"]] },
    parameters: { node, reference: string({ pattern: `${repository}$` }) },
    handler: () => ["latest", "stable", "1", "1.0"],
  }),
];
