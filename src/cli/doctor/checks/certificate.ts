import { once } from "node:events";
import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import { authoritiesOfThisMachine, type ClientSettings, normaliseFingerprint, readPem } from "#pve";
import { type Check, type Finding, failed, notice, ok } from "../check.ts";
import { hostOf, portOf } from "./network-path.ts";

const timeoutMs = 5000;

/** The certificate a server has shown, and what OpenSSL and Node think of it. */
export interface Presented {
  readonly host: string;
  readonly certificate: Pick<PeerCertificate, "subject" | "issuer" | "valid_from" | "valid_to" | "fingerprint256"> & {
    readonly subjectaltname?: string | undefined;
  };
  /** Undefined: it is trusted, for this host. */
  readonly objection: string | undefined;
}

type Trust = Pick<ClientSettings, "caCertificate" | "tlsFingerprint" | "insecure">;

/** Whether the server is the one it should be. */
export const certificate = (url: URL | undefined): Check => ({
  id: "certificate",
  subject: url?.origin,
  needs: ["connection"],
  async look(visit) {
    const trust = visit.settings();
    try {
      return judgeCertificate(await meet(url as URL, trust), trust);
    } catch (thrown) {
      const { code, message } = thrown as NodeJS.ErrnoException;
      return failed(
        `what listens there does not speak TLS: ${code ?? message}`,
        "Is it the port of Proxmox VE, 8006, in PROXMOX_VE_ENDPOINT?",
      );
    }
  },
});

/** Shakes hands with whoever is there, trusted or not: nothing is said to it. */
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

/** In the order the client itself decides by: a fingerprint comes before everything, then what was waived. */
export function judgeCertificate({ host, certificate: seen, objection }: Presented, trust: Trust): Finding {
  if (trust.tlsFingerprint !== undefined) {
    return normaliseFingerprint(trust.tlsFingerprint) === normaliseFingerprint(seen.fingerprint256)
      ? ok(`it is the one of PROXMOX_VE_TLS_FINGERPRINT, valid until ${seen.valid_to}`)
      : failed(
          `it is not the one of PROXMOX_VE_TLS_FINGERPRINT but ${seen.fingerprint256}`,
          "If the host's certificate was renewed, take the new fingerprint from the host itself:",
          ...askTheHost(host),
        );
  }
  if (objection === undefined) {
    return ok(`trusted for ${host}, issued by ${issuerOf(seen)}, valid until ${seen.valid_to}`);
  }
  const { said, cure } = objectionTo(seen, objection, host, trust);
  return trust.insecure
    ? notice(`not verified, since PROXMOX_VE_INSECURE is set (${said}); whoever is in between can read along`, ...cure)
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
        said: `it has expired on ${seen.valid_to}`,
        cure: ["On the host: `pvecm updatecerts --force && systemctl restart pveproxy`."],
      };
    case "CERT_NOT_YET_VALID":
      return { said: `it is not valid before ${seen.valid_from}`, cure: ["Compare the clocks of both machines."] };
    default:
      return { said: whoSigned(seen, objection, trust), cure: [...fetchAuthority(host), ...pin(seen, host)] };
  }
}

function whoSigned(seen: Presented["certificate"], objection: string, { caCertificate }: Trust): string {
  if (objection === "DEPTH_ZERO_SELF_SIGNED_CERT") return "it is self-signed, and so trusted by nobody";
  const by = `it is issued by ${issuerOf(seen)}`;
  return caCertificate === undefined
    ? `${by}, an authority this machine does not know (${objection})`
    : `${by}, which is not the authority in PROXMOX_VE_CA_CERTIFICATE (${objection})`;
}

const fetchAuthority = (host: string): string[] => [
  "Every Proxmox VE cluster has an authority of its own; fetch its certificate and name it:",
  `  scp root@${host}:/etc/pve/pve-root-ca.pem .`,
  "  export PROXMOX_VE_CA_CERTIFICATE=$PWD/pve-root-ca.pem",
  "or pin the one certificate of this host:",
];

const pin = (seen: Presented["certificate"], host: string): string[] => [
  `  export PROXMOX_VE_TLS_FINGERPRINT=${seen.fingerprint256}`,
  "after comparing it with what the host says:",
  ...askTheHost(host),
];

/** pveproxy prefers a certificate of one's own, where there is one (pve-manager: PVE/Service/pveproxy.pm). */
const askTheHost = (host: string): string[] => [
  `  ssh root@${host} 'cd /etc/pve/local; openssl x509 -noout -fingerprint -sha256 -in $(ls pveproxy-ssl.pem pve-ssl.pem 2>/dev/null | head -1)'`,
];

const issuerOf = ({ issuer }: Presented["certificate"]): string => quoted(issuer?.CN ?? issuer?.O);

const namesOf = ({ subjectaltname, subject }: Presented["certificate"]): string =>
  subjectaltname?.replaceAll(/(?:DNS|IP Address):/g, "") ?? quoted(subject?.CN);

const quoted = (text: string | string[] | undefined): string => `"${String(text ?? "nobody in particular")}"`;
