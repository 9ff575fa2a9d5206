import { awaitReference, bpg, customOf, defineResource, factsOf, movesFrom, type Session } from "#kit";
import { attributes } from "./certificate-attributes.ts";
import { type Order, parseOrder, readOptions, writeOrder } from "./domains.ts";
import { planAcmeCertificate, requireModify } from "./plan-certificate.ts";
import { validateDomains } from "./validate-domains.ts";

/** `proxmox_acme_certificate`. Server side: pve-manager `PVE/API2/ACME.pm`, `PVE/NodeConfig.pm`. */
export const acmeCertificate = defineResource({
  type: "proxmox_acme_certificate",
  subcategory: "Nodes",
  doc: "The certificate of a node, ordered from an ACME authority such as Let's Encrypt. The domains and the account are written to the options of the node, then the certificate is ordered; DNS challenges take a minute or more for each domain. The web server of the node restarts with the new certificate, and the provider waits for it. Proxmox VE renews the certificate automatically.",
  attributes,
  identity: ["node"],
  moves: movesFrom({ attributes, identity: ["node"], noun: "certificate" }, [
    bpg("acme_certificate", {
      node: "node_name",
      account: "account",
      domains: (old) =>
        Object.fromEntries(
          old.blocks("domains").flatMap((one) => {
            const name = one.text("domain");
            return name ? [[name, { plugin: one.text("plugin") ?? null, alias: one.text("alias") ?? null }]] : [];
          }),
        ),
    }),
  ]),
  label: ({ node }) => `ACME certificate of node "${node}"`,
  validate: validateDomains,
  plan: (context) => planAcmeCertificate(context),
  planDelete: ({ api, id, report }) => api && requireModify(api, report, id.node),

  async create({ api, desired, signal, created }) {
    const { node } = desired;
    const order = orderOf(desired);
    for (const { plugin } of Object.values(order.domains)) {
      if (plugin !== null) await awaitReference(api, { kind: "acme_plugin", name: plugin, signal });
    }
    await awaitReference(api, { kind: "acme_account", name: order.account, signal });
    await writeOrder(api, node, order, signal);
    created({ node });
    await finish(api, `order a certificate for ${node}`, () => api.certificates.order(node, false, { signal }), signal);
    return { node };
  },

  async read({ api, id, signal }) {
    const found = customOf(await api.certificates.list(id.node, { signal }));
    if (found === null) return null;
    return { ...id, ...parseOrder(await readOptions(api, id.node, signal)), ...factsOf(found) };
  },

  async update({ api, id: { node }, desired, changes, signal }) {
    const isAnother = changes.has("domains") || changes.has("account");
    if (isAnother) {
      await writeOrder(api, node, orderOf(desired), signal);
      await finish(
        api,
        `order a certificate for ${node}`,
        () => api.certificates.order(node, true, { signal }),
        signal,
      );
    } else if (changes.has("not_after")) {
      await finish(api, `renew the certificate of ${node}`, () => api.certificates.renew(node, { signal }), signal);
    }
  },

  async delete({ api, id: { node }, state, signal }) {
    const isThere = customOf(await api.certificates.list(node, { signal })) !== null;
    if (isThere && state.revoke_on_destroy) {
      await finish(api, `revoke the certificate of ${node}`, () => api.certificates.revoke(node, { signal }), signal);
    } else if (isThere) {
      await api.certificates.remove(node, { signal });
    }
    await writeOrder(api, node, null, signal);
  },
});

interface Wanted {
  readonly account?: string | undefined;
  readonly domains: Order["domains"];
}

const orderOf = ({ account = "default", domains }: Wanted): Order => ({ account, domains });

const finish = (api: Session, what: string, submit: () => Promise<string>, signal: AbortSignal) =>
  api.operations.write({ what, submit, signal });
