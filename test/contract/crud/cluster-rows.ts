import type { Row } from "./row.ts";

const terms = "https://acme-v02.api.letsencrypt.org/terms";

/** ACME, CPU models and Ceph. */
export const clusterRows: readonly Row[] = [
  {
    type: "proxmox_acme_account",
    isReserved: true,
    base: { name: "lab", contact: ["ops@example.com"], tos_url: terms },
    values: { contact: [["first@example.com"], ["second@example.com", "third@example.com"]] },
  },
  {
    type: "proxmox_acme_plugin",
    base: { id: "cloudflare", dns: { api: "cf", data: { CF_Token: "secret" } } },
    values: {
      "dns.api": ["gcloud", "hetzner"],
      "dns.validation_delay": [0, 60],
      "dns.nodes": [["pve1"], ["pve2", "pve3"]],
      enabled: [false, true],
    },
    others: [{ base: { id: "http", standalone: {} }, values: { "standalone.nodes": [["pve1"], ["pve2", "pve3"]] } }],
  },
  {
    type: "proxmox_cpu_model",
    base: { name: "small", reported_model: "kvm64" },
    values: {
      reported_model: ["qemu64", "host"],
      flags: [["+aes"], ["+aes", "-pcid"]],
      hidden: [true, false],
      hv_vendor_id: ["proxmox", "other"],
      phys_bits: ["host", "40"],
      guest_phys_bits: [40, 48],
      level: [0, 30],
    },
  },
  {
    type: "proxmox_ceph_pool",
    base: { name: "vms" },
    values: {
      size: [2, 4],
      min_size: [1, 2],
      pg_num: [32, 64],
      pg_num_min: [16, 8],
      pg_autoscale_mode: ["on", "off"],
      crush_rule: ["ssd", "replicated_rule"],
      application: ["cephfs", "rbd"],
      target_size: ["500G", "1T"],
      target_size_ratio: [0.5, 2],
    },
  },
];
