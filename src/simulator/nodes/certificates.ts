import { X509Certificate } from "node:crypto";
import { askAuthority, defaultDirectory } from "../acme/authority.ts";
import { makeServerIdentity } from "../core/http/certificate.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import type { Process } from "../core/kernel/process.ts";
import { namedFormat } from "../core/schema/format.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { getNode } from "../core/world/node.ts";
import type { World } from "../core/world/world.ts";
import { acmeDomains } from "./config.ts";

const pemString = (name: string) =>
  namedFormat(name, (value) => {
    if (!/^\s*-----BEGIN [^-]+-----\s[\s\S]+-----END [^-]+-----\s*$/.test(value)) {
      die("not a valid PEM-formatted string.");
    }
  });

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

const seconds = (date: string) => Math.floor(Date.parse(date) / 1000);

/** OpenSSL's one-line form: `/CN=pve.lab.test`. */
const oneLine = (name: string) => `/${name.split("\n").join("/")}`;

/** The description of a certificate file (pve-common `src/PVE/Certificate.pm`, `get_certificate_info`). */
function describe(filename: string, pem: string) {
  const certificate = parse(pem) as X509Certificate;
  const key = certificate.publicKey;
  const isEllipticCurve = key.asymmetricKeyType === "ec";
  const curveBits: Record<string, number> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 };
  const names = (certificate.subjectAltName ?? "").split(", ").filter((name) => name !== "");
  return {
    filename,
    fingerprint: certificate.fingerprint256,
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    notbefore: seconds(certificate.validFrom),
    notafter: seconds(certificate.validTo),
    "public-key-type": isEllipticCurve ? "id-ecPublicKey" : "rsaEncryption",
    "public-key-bits": isEllipticCurve
      ? (curveBits[key.asymmetricKeyDetails?.namedCurve ?? ""] ?? 256)
      : key.asymmetricKeyDetails?.modulusLength,
    san: names.map((name) => name.replace(/^[^:]+:/, "")),
    pem,
  };
}

/** The first certificate of a chain, with its line feed. */
const firstOf = (chain: string) => `${/-----BEGIN[\s\S]+?-----END [^-]+-----/.exec(chain)?.[0] ?? ""}\n`;

interface Upload {
  certificates: string;
  key?: string | undefined;
  force?: 0 | 1 | undefined;
  restart?: 0 | 1 | undefined;
}

function upload(call: Call<Upload>) {
  const { world, params, node: here } = call;
  const host = getNode(world, here);
  const key = params.key ?? host.certificate?.key;
  if (key === undefined) {
    paramError({ key: "Attempted to upload custom certificate without (existing) key." });
  }
  if (host.certificate !== undefined && params.force !== 1) {
    die("Custom certificate file exists but force flag is not set.");
  }
  if (parse(params.certificates) === null) {
    die(
      `Setting certificate files failed - unable to read certificate from '/etc/pve/nodes/${here}/pveproxy-ssl.pem'\n`,
    );
  }
  host.certificate = { chain: params.certificates, key };
  if (params.restart === 1) {
    restartProxy(call);
  }
  return describe("pveproxy-ssl.pem", firstOf(params.certificates));
}

function info({ sim, world, node: here }: Call) {
  const { certificate } = getNode(world, here);
  const { cert } = ownCertificate(world, here);
  return [
    describe("pve-root-ca.pem", authorityOf(sim)),
    describe("pve-ssl.pem", cert),
    ...(certificate === undefined ? [] : [describe("pveproxy-ssl.pem", firstOf(certificate.chain))]),
  ];
}

const authorities = new WeakMap<object, string>();

/** One for all nodes of a cluster, and never that of another cluster. */
function authorityOf(sim: object): string {
  const known = authorities.get(sim) ?? makeServerIdentity(["pve-root-ca"]).caCertificate;
  authorities.set(sim, known);
  return known;
}

const made = new Map<string, ReturnType<typeof makeServerIdentity>>();

/** The certificate with which a node was installed; generated on the first request. */
function ownCertificate(world: World, name: string) {
  const identity = made.get(name) ?? makeServerIdentity([name, getNode(world, name).address]);
  made.set(name, identity);
  return identity;
}

/** How long certificates of Let's Encrypt are valid. */
const authorityDays = 90;

/** PVE itself fails on a node without ACME settings. */
const undefinedSettings = (line: number) =>
  die(`Can't use an undefined value as a HASH reference at /usr/share/perl5/PVE/API2/ACME.pm line ${line}.`);

/** Clients of the node that answers lose their connections and are refused for a second. */
function restartProxy(process: Process, why = ""): void {
  process.print(`Restarting pveproxy${why}`);
  if (process.node === process.sim.world.cluster.local) {
    process.sim.proxy.restart();
  }
}

/** Orders a certificate for the node's domains (pve-manager `PVE/API2/ACME.pm`). */
function order(call: Call): string {
  const { world, node: here } = call;
  const host = getNode(world, here);
  const domains = acmeDomains(host.config);
  const account = world.acme.accounts[/account=([^,]+)/.exec(host.config?.["acme"] ?? "")?.[1] ?? "default"];
  return call.worker("acmenewcert", "", async (task) => {
    const directory = account?.directory ?? defaultDirectory;
    if (account === undefined) {
      die("ACME account config file 'default' does not exist.");
    }
    task.print("Loading ACME account details");
    await askAuthority(directory);
    task.print("Placing ACME order");
    for (const domain of domains) {
      task.print(`The validation for ${domain} is pending!`);
      task.print(`Status is 'valid', domain '${domain}' OK!`);
    }
    task.print("All domains validated!");
    const { cert, key } = makeServerIdentity(domains, authorityDays);
    host.certificate = { chain: cert, key };
    task.print("Setting pveproxy certificate and key");
    restartProxy(task);
  });
}

const mayWrite = { check: ["perm", "/nodes/{node}", ["Sys.Modify"]] } as const;
const acmePath = "/nodes/{node}/certificates/acme/certificate";
const force = boolean({ optional: true });

/** pve-manager `PVE/API2/Certificates.pm`. */
export const certificateEndpoints = [
  indexEndpoint("/nodes/{node}/certificates", "name", ["acme", "custom", "info"]),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/certificates/info",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node },
    handler: info,
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/certificates/custom",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: {
      node,
      certificates: string({ format: pemString("pem-certificate-chain") }),
      key: string({ optional: true, format: pemString("pem-string") }),
      force,
      restart: boolean({ optional: true }),
    },
    handler: upload,
  }),
  endpoint({
    method: "DELETE",
    path: "/nodes/{node}/certificates/custom",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, restart: boolean({ optional: true }) },
    handler: (call) => {
      delete getNode(call.world, call.node).certificate;
      if (call.params.restart === 1) {
        restartProxy(call);
      }
      return null;
    },
  }),
  indexEndpoint("/nodes/{node}/certificates/acme", "name", ["certificate"]),
  endpoint({
    method: "POST",
    path: acmePath,
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, force },
    handler: (call) => {
      const host = getNode(call.world, call.node);
      if (acmeDomains(host.config).length === 0) {
        return undefinedSettings(195);
      }
      if (host.certificate !== undefined && call.params.force !== 1) {
        paramError({ force: "Custom certificate exists but 'force' is not set." });
      }
      return order(call);
    },
  }),
  endpoint({
    method: "PUT",
    path: acmePath,
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, force },
    handler: (call) =>
      getNode(call.world, call.node).certificate === undefined
        ? die("No current (custom) certificate found, please order a new certificate!")
        : order(call),
  }),
  endpoint({
    method: "DELETE",
    path: acmePath,
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node },
    handler: (call) => {
      const { world, node: here } = call;
      const host = getNode(world, here);
      return acmeDomains(host.config).length === 0
        ? undefinedSettings(345)
        : call.worker("acmerevoke", "", (task) => {
            task.print("Loading ACME account details");
            task.print("Revoking old certificate");
            task.print("Deleting certificate files");
            delete host.certificate;
            restartProxy(task, " to revert to self-signed certificates");
          });
    },
  }),
];
