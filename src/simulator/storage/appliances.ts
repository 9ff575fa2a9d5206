import { createHash } from "node:crypto";
import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { string } from "../core/schema/schema.ts";
import { node, storageId } from "../core/schema/standard-options.ts";
import { fileTarget, fileVolume } from "./files.ts";
import { putFileChecked } from "./space.ts";
import { copySeconds, getEnabledStorage, holds, isShared } from "./storages.ts";
import { findVolume } from "./volumes.ts";

// Container templates of Proxmox: `aplinfo` and `apl_download` of pve-manager `PVE/API2/Nodes.pm`. A selection.

const templates: readonly [name: string, version: string, os: string, headline: string][] = [
  ["alpine-3.22-default", "20250617", "alpine", "LXC default image for alpine 3.22 (20250617)"],
  ["archlinux-base", "20240911-1", "archlinux", "ArchLinux base image."],
  ["debian-12-standard", "12.12-1", "debian-12", "Debian 12 Bookworm (standard)"],
  ["debian-13-standard", "13.1-2", "debian-13", "Debian 13 Trixie (standard)"],
  ["fedora-42-default", "20250428", "fedora-42", "LXC default image for fedora 42 (20250428)"],
  ["rockylinux-9-default", "20240912", "rockylinux-9", "LXC default image for rockylinux 9 (20240912)"],
  ["ubuntu-24.04-standard", "24.04-2", "ubuntu-24.04", "Ubuntu 24.04 Noble (standard)"],
];

const archiveBytes = 128 * 2 ** 20;

const appliances = templates.map(([name, version, os, headline]) => {
  const template = `${name}_${version}_amd64.tar.${os.startsWith("alpine") || os.startsWith("fedora") ? "xz" : "zst"}`;
  return {
    package: name,
    version,
    os,
    headline,
    template,
    type: "lxc",
    section: "system",
    architecture: "amd64",
    maintainer: "Proxmox Support Team <support@proxmox.com>",
    source: "http://download.proxmox.com/images",
    location: `http://download.proxmox.com/images/system/${template}`,
    infopage: "https://pve.proxmox.com/wiki/Linux_Container",
    description: headline,
    sha512sum: createHash("sha512").update(template).digest("hex"),
  };
});

export const applianceEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/aplinfo",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node },
    handler: () => appliances,
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/aplinfo",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/storage/{storage}", ["Datastore.AllocateTemplate"]] },
    parameters: { node, storage: storageId, template: string({ maxLength: 255 }) },
    handler: (call) => {
      const { storage: id, template } = call.params;
      const appliance =
        appliances.find((candidate) => candidate.template === template) ?? paramError({ template: "no such template" });
      const storage = getEnabledStorage(call.world, id, call.node);
      if (!holds(storage, "vztmpl")) {
        die(`storage '${id}' does not support templates`);
      }
      const target = fileTarget(storage, "vztmpl", template);
      return call.worker("download", template, async (task) => {
        const { world, clock } = task.sim;
        task.print(`downloading ${appliance.location} to ${target.path}`);
        if (findVolume(world, target.volid, task.node) !== undefined) {
          task.print("calculating checksum of existing file...OK, got correct file already, no need to download");
          return;
        }
        await task.sleep(copySeconds(archiveBytes, storage));
        task.print("calculating checksum...OK, checksum verified");
        const checksums = { sha512: appliance.sha512sum };
        const place = { node: isShared(storage) ? undefined : task.node, ctime: clock.stamp() };
        const file = { size: archiveBytes, head: Buffer.alloc(0), checksums };
        putFileChecked(world, storage, task.node, fileVolume(target, file, place, target.path));
        task.print(`download of '${appliance.location}' to '${target.path}' finished`);
      });
    },
  }),
];
