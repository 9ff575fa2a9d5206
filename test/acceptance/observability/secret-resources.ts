import { makeServerIdentity } from "../../../src/simulator/core/http/certificate.ts";

/** Everything that is searched for, by the name of its variable; the places of most take any text. */
export class Secrets {
  readonly values: Record<string, string> = {};

  /** A reference to a new secret; of this form, if its place does not take any text. */
  of(name: string, value = `S3CRET-${name}-0123456789abcdef`): string {
    this.values[name] = value;
    return `\${var.${name}}`;
  }
}

const ldap = { server: "192.0.2.20", base_dn: "dc=example,dc=com", user_attribute: "uid" };

/** A resource of every type with a secret, in every place where the schema has one. */
export function resourcesWithSecrets(secrets: Secrets): Record<string, Record<string, object>> {
  const pair = makeServerIdentity(["pve1.example.com"]);
  const cephKey = "AQD9o0Fd6hQRChAAt7fMaSZXduT3NWEqylNpmg==";
  const keyring = (name: string) => secrets.of(name, `[client.${name}]\n\tkey = ${cephKey}`);
  const key = secrets.of("encryption", JSON.stringify({ kdf: null, data: "S3CRET+encryption/0123456789==" }));
  return {
    proxmox_acme_account: {
      own: {
        name: "own",
        contact: ["ops@example.com"],
        tos_url: "https://acme-v02.api.letsencrypt.org/terms",
        eab_kid: secrets.of("kid"),
        eab_hmac_key: secrets.of("hmac", "UzNDUkVULWhtYWMtMDEyMzQ1Njc4OQ"),
      },
    },
    proxmox_acme_plugin: { dns: { id: "cloud", dns: { api: "cf", data: { CF_Token: secrets.of("acme") } } } },
    proxmox_container: {
      ct: {
        name: "ct",
        vmid: 500,
        node: "pve1",
        image: { volume: "local:vztmpl/small.tar.zst" },
        mounts: { rootfs: { storage: "local-lvm", size: "4G" } },
        password: secrets.of("root"),
      },
    },
    proxmox_metric_server: {
      influx: { id: "influx", server: "192.0.2.6", port: 8086, influxdb: { token: secrets.of("influx") } },
      tel: { id: "tel", server: "192.0.2.5", port: 4318, opentelemetry: { headers: { k: secrets.of("header") } } },
    },
    proxmox_node_certificate: {
      own: {
        node: "pve2",
        certificate_chain: pair.cert.split(/(?<=END CERTIFICATE-----\n)/)[0],
        private_key: secrets.of("tls", pair.key),
      },
    },
    proxmox_notification_endpoint: {
      chat: { name: "chat", gotify: { server: "https://chat.example.com", token: secrets.of("gotify") } },
      mail: {
        name: "mail",
        smtp: {
          server: "mail.example.com",
          from_address: "pve@example.com",
          mailto: ["ops@example.com"],
          username: "pve",
          password: secrets.of("smtp"),
        },
      },
      hook: {
        name: "hook",
        webhook: { url: "https://h.example.com", method: "post", secrets: { k: secrets.of("webhook") } },
      },
    },
    proxmox_realm: {
      ldap: { id: "dir", ldap: { ...ldap, bind_dn: "cn=a,dc=example,dc=com", password: secrets.of("ldap") } },
      ad: {
        id: "win",
        ad: {
          server: "192.0.2.30",
          domain: "example.com",
          bind_dn: "cn=a,dc=example,dc=com",
          password: secrets.of("domain"),
        },
      },
      sso: {
        id: "sso",
        openid: { issuer_url: "https://id.example.com", client_id: "pve", client_key: secrets.of("openid") },
      },
      keys: { id: "keys", ldap, tfa: { type: "yubico", id: "client", key: secrets.of("yubico") } },
    },
    proxmox_sdn_dns: { names: { id: "names", url: "https://dns.example.com/api", key: secrets.of("dns") } },
    proxmox_sdn_ipam: {
      box: { id: "box", netbox: { url: "https://n.example.com/api", token: secrets.of("netbox") } },
      php: { id: "php", phpipam: { url: "https://p.example.com/api", section: 1, token: secrets.of("phpipam") } },
    },
    proxmox_storage: {
      cfs: { id: "cfs", cephfs: { monitors: ["192.0.2.50"], keyring: secrets.of("cephfs", cephKey) } },
      images: { id: "images", rbd: { pool: "x", monitors: ["192.0.2.50"], keyring: keyring("rbd") } },
      smb: {
        id: "smb",
        cifs: { server: "nas.example.com", share: "x", username: "bob", password: secrets.of("cifs") },
      },
      old: { id: "old", esxi: { server: "esxi.example.com", username: "root", password: secrets.of("esxi") } },
      pbs: {
        id: "pbs",
        pbs: {
          server: "pbs.example.com",
          datastore: "main",
          username: "u@pbs",
          password: secrets.of("pbs"),
          encryption_key: key,
          master_public_key: secrets.of("master", "-----BEGIN PUBLIC KEY-----\nUzNDUkVU\n-----END PUBLIC KEY-----"),
        },
      },
    },
    proxmox_user: { ops: { id: "ops@pve", password: secrets.of("user") } },
    proxmox_tfa: {
      phone: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of Terraform
        user: "${proxmox_user.ops.id}",
        totp: { description: "app", secret: secrets.of("totp", "KMZUGUSFKQFGCYTDMRSWMZ3INFVGW3DN") },
      },
    },
    proxmox_token: { ci: { user: "root@pam", name: "ci" } },
    proxmox_vm: {
      files: {
        name: "files",
        vmid: 501,
        clone: { template: "9000" },
        cloud_init: {
          user_data_wo: `#cloud-config\n# ${secrets.of("user_data_wo")}`,
          network_data_wo: `version: 2\n# ${secrets.of("network_data_wo")}`,
          meta_data_wo: `instance-id: ${secrets.of("meta_data_wo")}`,
          vendor_data_wo: `#cloud-config\n# ${secrets.of("vendor_data_wo")}`,
        },
      },
      stored: {
        name: "stored",
        vmid: 502,
        clone: { template: "9000" },
        cloud_init: {
          user_data: `#cloud-config\n# ${secrets.of("user_data")}`,
          vendor_data: `#cloud-config\n# ${secrets.of("vendor_data")}`,
        },
      },
      login: {
        name: "login",
        vmid: 503,
        clone: { template: "9000" },
        cloud_init: { user: "ops", password: secrets.of("login") },
      },
    },
  };
}
