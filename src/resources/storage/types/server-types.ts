import { int, matches, nested, nullable, string } from "#kit";
import { flagOf, forLife, password, server, version } from "./members.ts";

const port = (standard: number) =>
  ({
    type: int({ min: 1, max: 65535 }),
    mode: "optional",
    wire: "port",
    doc: `Port of the server. Left out: ${standard}.`,
  }) as const;

const { replace: _, ...changeableServer } = server;

/** Types of storage that another product serves. */
export const serverTypes = {
  pbs: {
    type: nested({
      server,
      datastore: {
        type: string({ check: matches(/^\w[\w.-]*$/, "the name of a datastore") }),
        mode: "required",
        wire: "datastore",
        replace: forLife("the datastore"),
        doc: "Name of the datastore.",
      },
      namespace: {
        type: string({ check: matches(/^\w[\w.-]*(\/\w[\w.-]*){0,7}$/, "names joined by `/`, such as `prod/site1`") }),
        mode: "optional",
        wire: "namespace",
        doc: "Namespace in the datastore. Left out: the one at the top.",
      },
      port: port(8007),
      username: {
        type: string({
          check: matches(/^[^\s:/]+@\w[\w.-]*(![\w.-]+)?$/, "a user or a token, such as `backup@pbs!pve`"),
        }),
        mode: "optional",
        wire: "username",
        doc: "User or token, such as `backup@pbs!pve`. Left out: `root@pam`.",
      },
      password: {
        ...password,
        mode: "optional",
        doc: "Password of the user, or secret of the token; never stored. It is sent when the storage is created and when `password_version` changes.",
      },
      password_version: version("password"),
      fingerprint: {
        type: string({
          check: matches(/^([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}$/, "32 pairs of hexadecimal digits joined by colons"),
        }),
        mode: "optional",
        wire: "fingerprint",
        doc: "SHA-256 fingerprint of the server's certificate. Left out: the certificate has to be trusted by the nodes.",
      },
      encryption_key: {
        type: string({
          check: matches(/^\s*\{.*\}\s*$/s, "the JSON text of a key, as `proxmox-backup-client key create` writes it"),
        }),
        mode: "optional",
        writeOnly: { trigger: "encryption_key_version" },
        sensitive: true,
        wire: "encryption-key",
        doc: "Key that backups are encrypted with, as JSON text; never stored. It is sent when the storage is created and when `encryption_key_version` changes. Keep a copy: without it, no backup can be read. Left out: backups are not encrypted.",
      },
      encryption_key_version: version("encryption_key"),
      encryption_key_fingerprint: {
        type: nullable(string()),
        mode: "computed",
        keep: { unless: ["encryption_key_version"] },
        instead: "Set `pbs.encryption_key`.",
        wire: "encryption-key",
        as: { parse: (raw: unknown) => String(raw) },
        doc: "Fingerprint of the key that the nodes have; null without one.",
      },
      master_public_key: {
        type: string({ check: matches(/^-----BEGIN .*-----\s*$/s, "a public key in PEM form") }),
        mode: "optional",
        writeOnly: { trigger: "master_public_key_version" },
        sensitive: true,
        wire: "master-pubkey",
        as: { parse: () => null, print: (pem: unknown) => Buffer.from(String(pem)).toString("base64") },
        doc: "RSA public key in PEM form that a copy of the encryption key is encrypted with in each backup; needs `encryption_key`. It is sent when the storage is created and when `master_public_key_version` changes.",
      },
      master_public_key_version: version("master_public_key"),
    }),
    mode: "optional",
    doc: "A datastore of a Proxmox Backup Server.",
  },
  esxi: {
    type: nested({
      server: changeableServer,
      username: {
        type: string({ check: matches(/^\S+$/, "a name without blanks") }),
        mode: "required",
        wire: "username",
        doc: "User of the ESXi host.",
      },
      password: {
        ...password,
        mode: "required",
        doc: "Password of the user; never stored. It is sent when the storage is created and when `password_version` changes.",
      },
      password_version: version("password"),
      port: port(443),
      skip_certificate_verification: flagOf(
        "skip-cert-verification",
        "Whether any certificate of the host is accepted. Left out: only one that the nodes trust.",
      ),
    }),
    mode: "optional",
    doc: "An ESXi host, to import VMs from.",
  },
} as const;
