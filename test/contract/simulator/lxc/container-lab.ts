import { type Lab, lab, labSeed } from "../lab.ts";

const template = "local:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst";

/** A lab in which container 300 is made on request. */
export function containerLab(): Lab & {
  create(more?: Record<string, string | number>): Promise<string>;
  config(vmid?: number): Promise<Record<string, unknown>>;
} {
  const cluster = lab({ ...labSeed, container_templates: [{ volid: template, size: 2 ** 27 }] });
  const { ask, run } = cluster;
  return {
    ...cluster,
    get simulator() {
      return cluster.simulator;
    },
    create: (more = {}) =>
      run("POST /nodes/pve1/lxc", { vmid: 300, ostemplate: template, rootfs: "thin:1", hostname: "ct", ...more }),
    config: async (vmid = 300) => (await ask(`GET /nodes/pve1/lxc/${vmid}/config`)) as Record<string, unknown>,
  };
}
