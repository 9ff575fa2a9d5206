import { once } from "node:events";
import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import { authoritiesOfThisMachine, type ClientSettings, normaliseFingerprint, readPem } from "#pve";
import { type Check, type Finding, failed, notice, ok } from "../check.ts";
import { hostOf, portOf } from "./network-path.ts";

const timeoutMs = 5000;

/** The certificate that a server presented, and the verdict of OpenSSL and Node. */
export interface Presented {
  readonly host: string;
  readonly certificate: Pick<PeerCertificate, "subject" | "issuer" | "valid_from" | "valid_to" | "fingerprint256"> & {
    readonly subjectaltname?: string | undefined;
  };
  /** Undefined: it is trusted, for this host. */
  readonly objection: string | undefined;
}

type Trust = Pick<ClientSettings, "caCertificate" | "tlsFingerprint" | "insecure">;

/** Whether the server is the right one. */
export const certificate = (url: URL | undefined): Check => ({
  id: "certificate",
  subject: url?.origin,
  needs: ["connection"],
  async look(context) {
    const trust = context.settings();
    try {
      return judgeCertificate(await meet(url as URL, trust), trust);
    } catch (thrown) {
      const { code, message } = thrown as NodeJS.ErrnoException;
      return failed(
        `the server does not support TLS: ${code ?? message}`,
        "Is it the port of Proxmox VE, 8006, in PROXMOX_VE_ENDPOINT?",
      );
    }
  },
});

/** Makes a TLS handshake with any server, trusted or not, and sends nothing. */
async function meet(url: URL, { caCertificate }: Trust): Promise<Presented> {
  const host = hostOf(url);
  const socket = connect({
    host,
    port: portOf(url),
    ...(isIP(host) ? {} : { servername: host }),
    ca: caCertificate === undefined ? authoritiesOfThisMachine() : readPem(caCertificate),
    rejectUnauthorized: false,
    timeout: timeoutMs,
  });
  socket.once("timeout", () => socket.destroy(new Error(`no TLS handshake within ${timeoutMs / 1000} s`)));
  try {
    await once(socket, "secureConnect");
    const objection = socket.authorized ? undefined : String(socket.authorizationError);
    return { host, certificate: socket.getPeerCertificate(), objection };
  } finally {
    socket.destroy();
  }
}

/** In the order in which the client decides: a fingerprint comes first, then `insecure`. */
export function judgeCertificate({ host, certificate: seen, objection }: Presented, trust: Trust): Finding {
  if (trust.tlsFingerprint !== undefined) {
    return normaliseFingerprint(trust.tlsFingerprint) === normaliseFingerprint(seen.fingerprint256)
      ? ok(`it matches PROXMOX_VE_TLS_FINGERPRINT, valid until ${seen.valid_to}`)
      : failed(
          `it does not match PROXMOX_VE_TLS_FINGERPRINT; its fingerprint is ${seen.fingerprint256}`,
          "If the host's certificate was renewed, take the new fingerprint from the host itself:",
          ...askTheHost(host),
        );
  }
  if (objection === undefined) {
    return ok(`trusted for ${host}, issued by ${issuerOf(seen)}, valid until ${seen.valid_to}`);
  }
  const { said, cure } = objectionTo(seen, objection, host, trust);
  return trust.insecure
    ? notice(
        `not verified, since PROXMOX_VE_INSECURE is set (${said}); an attacker on the network can read all traffic`,
        ...cure,
      )
    : failed(said, ...cure);
}

function objectionTo(seen: Presented["certificate"], objection: string, host: string, trust: Trust) {
  switch (objection) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        said: `it is for ${namesOf(seen)}, not for ${host}`,
        cure: ["Use one of these in PROXMOX_VE_ENDPOINT, or pin the certificate:", ...pin(seen, host)],
      };
    case "CERT_HAS_EXPIRED":
      return {
        said: `it expired on ${seen.valid_to}`,
        cure: ["On the host: `pvecm updatecerts --force && systemctl restart pveproxy`."],
      };
    case "CERT_NOT_YET_VALID":
      return { said: `it is not valid before ${seen.valid_from}`, cure: ["Compare the clocks of both machines."] };
    default:
      return { said: whoSigned(seen, objection, trust), cure: [...fetchAuthority(host), ...pin(seen, host)] };
  }
}

function whoSigned(seen: Presented["certificate"], objection: string, { caCertificate }: Trust): string {
  if (objection === "DEPTH_ZERO_SELF_SIGNED_CERT") return "it is self-signed, so no authority vouches for it";
  const by = `it is issued by ${issuerOf(seen)}`;
  return caCertificate === undefined
    ? `${by}, an authority that this machine does not trust (${objection})`
    : `${by}, which is not the authority in PROXMOX_VE_CA_CERTIFICATE (${objection})`;
}

const fetchAuthority = (host: string): string[] => [
  "Every Proxmox VE cluster has its own authority; copy its certificate and set its path:",
  `  scp root@${host}:/etc/pve/pve-root-ca.pem .`,
  "  export PROXMOX_VE_CA_CERTIFICATE=$PWD/pve-root-ca.pem",
  "or pin the certificate of this host:",
];

const pin = (seen: Presented["certificate"], host: string): string[] => [
  `  export PROXMOX_VE_TLS_FINGERPRINT=${seen.fingerprint256}`,
  "after comparing it with the fingerprint on the host:",
  ...askTheHost(host),
];

/** pveproxy prefers a custom certificate, if there is one (pve-manager: PVE/Service/pveproxy.pm). */
const askTheHost = (host: string): string[] => [
  `  ssh root@${host} 'cd /etc/pve/local; openssl x509 -noout -fingerprint -sha256 -in $(ls pveproxy-ssl.pem pve-ssl.pem 2>/dev/null | head -1)'`,
];

const issuerOf = ({ issuer }: Presented["certificate"]): string => quoted(issuer?.CN ?? issuer?.O);

const namesOf = ({ subjectaltname, subject }: Presented["certificate"]): string =>
  subjectaltname?.replaceAll(/(?:DNS|IP Address):/g, "") ?? quoted(subject?.CN);

const quoted = (text: string | string[] | undefined): string => `"${String(text ?? "an unnamed issuer")}"`;
