import {
  alreadyExists,
  bpg,
  certificateFacts,
  checkPrivileges,
  checkReference,
  customOf,
  defineResource,
  Failure,
  factsOf,
  int,
  isPveError,
  movesFrom,
  type PlanContext,
  provenWrite,
  type Session,
  string,
} from "#kit";
import { certificatesIn, checkPair, faultOfChain, faultOfKey, isSameChain } from "./certificate-checks.ts";
import { node } from "./node-attribute.ts";

const attributes = {
  node,
  certificate_chain: {
    type: string({ check: faultOfChain, same: isSameChain }),
    mode: "required",
    doc: "The certificate of the node, and those that it is signed with, in PEM form.",
  },
  private_key: {
    type: string({ check: faultOfKey }),
    mode: "optional",
    writeOnly: { trigger: "private_key_version" },
    sensitive: true,
    doc: "Its private key in PEM form, without a passphrase; never stored. It is sent when the certificate is uploaded first and when `private_key_version` changes. Left out: the key that the node has.",
  },
  private_key_version: {
    type: int(),
    mode: "optional",
    local: true,
    doc: "Any number; another one sends `private_key` again.",
  },
  ...certificateFacts,
} as const;

/** `proxmox_node_certificate`. Server side: pve-manager `PVE/API2/Certificates.pm`. */
export const nodeCertificate = defineResource({
  type: "proxmox_node_certificate",
  subcategory: "Nodes",
  doc: "A certificate of your own for the web interface and the API of a node. Setting it restarts the web server of the node, which refuses connections for a second; the provider waits. If it talks to this node, its settings must trust the new certificate, too. Destroying the resource returns to the certificate of the cluster. For certificates of an ACME authority use `proxmox_acme_certificate`.",
  attributes,
  identity: ["node"],
  moves: movesFrom({ attributes, identity: ["node"], noun: "certificate" }, [
    // Its certificates in one text. The key, which their state holds, stays behind.
    bpg("certificate", {
      node: "node_name",
      certificate_chain: (old) =>
        [old.text("certificate"), old.text("certificate_chain")]
          .flatMap((pem) => (pem === undefined ? [] : [pem.trim()]))
          .join("\n") || undefined,
    }),
  ]),
  label: ({ node: name }) => `certificate of node "${name}"`,

  validate: ({ config, report }) => checkPair(config, report),
  plan: planCertificate,
  planDelete: ({ api, id, report }) => api && requireModify(api, report, id.node),

  async create({ api, desired, signal }) {
    const { node: name } = desired;
    if (customOf(await api.certificates.list(name, { signal })) !== null) {
      const { summary, detail } = existing(name);
      throw new Failure(summary, detail, { path: "node" });
    }
    await upload(api, name, desired, { signal });
    return { node: name };
  },

  async read({ api, id, state, signal }) {
    const found = customOf(await api.certificates.list(id.node, { signal }));
    if (found === null) return null;
    // PVE shows the first certificate only.
    const isSame = state?.certificate_chain && fingerprintOf(state.certificate_chain) === found.fingerprint;
    return { ...id, certificate_chain: isSame ? state.certificate_chain : (found.pem ?? ""), ...factsOf(found) };
  },

  update: ({ api, id, desired, prior, signal }) => upload(api, id.node, desired, { signal, prior }),

  async delete({ api, id, signal }) {
    await api.certificates.remove(id.node, { signal });
  },
});

interface Wanted {
  readonly certificate_chain: string;
  readonly private_key?: string | null | undefined;
}

interface Upload {
  readonly signal: AbortSignal;
  /** What the node has. */
  readonly prior?: Wanted;
}

async function upload(api: Session, name: string, wanted: Wanted, { signal, prior }: Upload): Promise<void> {
  const { certificate_chain: certificates, private_key: key } = wanted;
  const write = () =>
    api.certificates.upload(name, { certificates, ...(key && { key }), ...(prior && { force: true }) }, { signal });
  const first = fingerprintOf(certificates);
  // PVE shows the first certificate only, which proves nothing where the others change.
  const isShown = !prior || fingerprintOf(prior.certificate_chain) !== first;
  const isDone = async () => isShown && customOf(await api.certificates.list(name, { signal }))?.fingerprint === first;
  const send = () => provenWrite(api, { write, isDone, signal });
  // The web server may still restart with an earlier certificate; what it has not taken then can be sent again.
  await send().catch((reason: unknown) => (isPveError(reason, "unreachable") ? send() : Promise.reject(reason)));
}

const fingerprintOf = (chain: string): string | undefined => certificatesIn(chain)?.[0]?.fingerprint256;

const existing = (name: string) =>
  alreadyExists({
    type: "proxmox_node_certificate",
    id: name,
    label: `Certificate of node "${name}"`,
    otherwise: "If `proxmox_acme_certificate` has ordered it, keep that resource and remove this one.",
  });

const requireModify = async (
  api: Session,
  report: PlanContext<typeof attributes, object, Session>["report"],
  name: string,
) => {
  await checkPrivileges({
    api,
    report,
    needs: [{ privileges: ["Sys.Modify"], paths: [`/nodes/${name}`], attribute: null }],
  });
};

async function planCertificate({
  api,
  config,
  prior,
  planned,
  changes,
  report,
  setUnknown,
}: PlanContext<typeof attributes, object, Session>): Promise<void> {
  const isAnother =
    changes.has("certificate_chain") && fingerprintOf(planned.certificate_chain ?? "") !== prior?.fingerprint;
  if (prior !== null && isAnother) for (const name of Object.keys(certificateFacts)) setUnknown([name]);
  const { node: name } = config;
  if (api === undefined || name === undefined || changes.size === 0) return;
  if (!(await checkReference(api, report, { kind: "node", name, path: "node" }))) return;
  await requireModify(api, report, name);
  if (prior !== null || api.managed.has("proxmox_node_certificate", name)) return;
  if (customOf(await api.certificates.list(name)) !== null) {
    const { summary, detail } = existing(name);
    report.error("node", summary, detail);
  } else if (config.private_key === null) {
    const detail = "The node has no key for a certificate of your own yet. Give `private_key`.";
    report.error("private_key", "Key needed", detail);
  }
}
