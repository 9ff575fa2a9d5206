import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Report } from "#kit";

const blocks = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The certificates of a chain; null if one of them cannot be read. */
export function certificatesIn(chain: string): X509Certificate[] | null {
  try {
    return (chain.match(blocks) ?? []).map((pem) => new X509Certificate(pem));
  } catch {
    return null;
  }
}

/** What is wrong with a chain. */
export function faultOfChain(chain: string): string | undefined {
  const certificates = certificatesIn(chain);
  if (certificates === null) return "Must be certificates in PEM form; one of them cannot be read.";
  return certificates.length === 0 ? "Must be at least one certificate in PEM form." : undefined;
}

/** Whether both texts have the same certificates in the same order: blanks around them do not matter. */
export function isSameChain(a: string, b: string): boolean {
  const [one, other] = [a, b].map((chain) =>
    certificatesIn(chain)
      ?.map(({ fingerprint256 }) => fingerprint256)
      .join(),
  );
  return one !== undefined && one === other;
}

/** What is wrong with a key. */
export function faultOfKey(key: string): string | undefined {
  try {
    createPrivateKey(key);
    return undefined;
  } catch {
    return "Must be a private key in PEM form, without a passphrase.";
  }
}

interface Pair {
  readonly certificate_chain: string | undefined;
  readonly private_key: string | null | undefined;
}

/** PVE takes a key that does not belong to the certificate, and pveproxy then does not start any more. */
export function checkPair({ certificate_chain: chain, private_key: key }: Pair, report: Report): void {
  if (chain === undefined || faultOfChain(chain) !== undefined) return;
  const [leaf] = certificatesIn(chain) ?? [];
  if (leaf === undefined) return;
  if (key && faultOfKey(key) === undefined && !leaf.checkPrivateKey(createPrivateKey(key))) {
    const detail =
      "The key belongs to another certificate than the first one of `certificate_chain`. Proxmox VE would take both, and its web server would not start any more. The chain begins with the certificate of the node.";
    report.error("private_key", "Key of another certificate", detail);
  }
  const end = Date.parse(leaf.validTo);
  if (end < Date.now()) {
    const detail = `The first certificate ended ${new Date(end).toISOString()}: clients that check certificates refuse the node.`;
    report.error("certificate_chain", "Certificate has ended", detail);
  }
}
