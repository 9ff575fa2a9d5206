import { makeServerIdentity } from "../../../src/simulator/core/http/certificate.ts";
import type { Row } from "./row.ts";

const own = makeServerIdentity(["pve3.example.com"]);
const other = makeServerIdentity(["other.example.com"]);

/** Objects that are written by hand, in the form of those with a definition. */
export const handRows: readonly Row[] = [
  {
    type: "proxmox_acl",
    base: { path: "/vms/5001", role: "PVEAuditor", user: "terraform@pve" },
    values: { propagate: [false, true] },
  },
  {
    type: "proxmox_token",
    base: { user: "noacl@pve", name: "extra" },
    values: {
      comment: ["first", "second"],
      expire: ["2040-01-01T00:00:00Z", "2041-01-01T00:00:00Z"],
      privilege_separation: [false, true],
      rotate: ["1", "2"],
    },
  },
  { type: "proxmox_pool_member", base: { pool: "blue", vmid: 101 }, values: { allow_move: [true, false] } },
  {
    type: "proxmox_apt_repository",
    base: { node: "pve1", repository: "no-subscription" },
    values: { enabled: [false, true] },
  },
  {
    type: "proxmox_acme_certificate",
    base: { node: "pve2", domains: { "pve2.example.com": {} } },
    values: {
      account: ["lab", "default"],
      domains: [
        { "pve2.example.com": {}, "www.example.com": {} },
        { "*.example.com": { plugin: "zone", alias: "acme.example.com" } },
      ],
      renew_days: [1, 20],
      revoke_on_destroy: [true, false],
    },
    prepare({ acme }) {
      const directory = "https://acme-v02.api.letsencrypt.org/directory";
      const account = { contact: ["mailto:ops@example.com"], directory, location: "https://example.com/acct/1" };
      acme.accounts["default"] = { ...account, createdAt: "2026-01-01T00:00:00Z" };
      acme.accounts["lab"] = { ...account, createdAt: "2026-01-01T00:00:00Z" };
      acme.plugins["zone"] = { type: "dns", options: { api: "cf" } };
    },
  },
  {
    type: "proxmox_node_certificate",
    base: { node: "pve3", certificate_chain: own.cert, private_key: own.key },
    values: { certificate_chain: [`${own.cert}\n${own.caCertificate}`, `${own.cert}\n`], private_key_version: [1, 2] },
    others: [{ base: { node: "pve3", certificate_chain: other.cert, private_key: other.key }, values: {} }],
  },
  {
    type: "proxmox_tfa",
    isReserved: true,
    base: { user: "terraform@pve", totp: { description: "app", secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" } },
    values: {
      "totp.description": ["phone", "tablet"],
      "totp.enabled": [false, true],
      "totp.secret_version": [1, 2],
    },
  },
  {
    type: "proxmox_firewall_alias",
    base: { name: "office", cidr: "198.51.100.0/24" },
    values: { cidr: ["198.51.100.7", "2001:db8::/64"], comment: ["first", "second"] },
  },
  {
    type: "proxmox_firewall_ipset",
    base: { name: "admins" },
    values: {
      comment: ["first", "second"],
      entries: [
        { "10.0.0.0/24": { comment: "lab" }, "10.0.0.9": { nomatch: true } },
        { "10.0.0.0/24": {}, "192.0.2.1": { comment: "one" } },
      ],
    },
  },
  {
    type: "proxmox_firewall_security_group",
    base: { name: "web" },
    values: {
      comment: ["first", "second"],
      rules: [
        [{ type: "in", action: "ACCEPT", macro: "HTTPS" }],
        [
          { type: "in", action: "DROP", proto: "tcp", dport: "22", comment: "ssh" },
          { type: "in", action: "ACCEPT", macro: "HTTPS" },
        ],
      ],
    },
  },
];
