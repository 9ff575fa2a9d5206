import { bpg, defineCrud, emailAddress, isPveError, matches, type PlanContext, type Session, set, string } from "#kit";

const letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory";

const attributes = {
  name: {
    type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
    mode: "required",
    wire: "name",
    replace: true,
    doc: "Name of the account. Nodes use `default` unless they name another.",
  },
  contact: {
    type: set(string({ check: emailAddress }), { min: 1 }),
    mode: "required",
    wire: "contact",
    doc: "E-mail addresses that the certificate authority writes to.",
  },
  directory: {
    type: string({ check: matches(/^https?:\/\/\S+$/, "an address that begins with `https://`") }),
    mode: "optional_computed",
    keep: true,
    replace: true,
    wire: "directory",
    absent: letsEncrypt,
    doc: `Directory of the certificate authority. Left out: Let's Encrypt, \`${letsEncrypt}\`.`,
  },
  tos_url: {
    type: string({ check: matches(/^https?:\/\/\S+$/, "an address that begins with `https://`") }),
    mode: "optional",
    replace: true,
    wire: "tos_url",
    doc: "Address of the terms of service that you agree to. It must be given where the authority has terms: the plan shows the address.",
  },
  eab_kid: {
    type: string({ check: matches(/^\S+$/, "an ID without blanks") }),
    mode: "optional",
    writeOnly: true,
    wire: "eab-kid",
    onlyAtCreation: true,
    doc: "Key ID, for authorities that bind accounts to others (EAB). It is sent when the account is created, and never stored.",
  },
  eab_hmac_key: {
    type: string({ check: matches(/^\S+$/, "a key without blanks") }),
    mode: "optional",
    writeOnly: true,
    sensitive: true,
    wire: "eab-hmac-key",
    onlyAtCreation: true,
    doc: "HMAC key of that ID. It is sent when the account is created, and never stored.",
  },
  location: { type: string(), mode: "computed", keep: true, wire: "location", doc: "Address of the account." },
} as const;

/** `proxmox_acme_account`. Server side: pve-manager `PVE/API2/ACMEAccount.pm`. */
export const acmeAccount = defineCrud({
  type: "proxmox_acme_account",
  subcategory: "Cluster",
  doc: "An account with a certificate authority, which nodes order their certificates with (`proxmox_acme_certificate`). Proxmox VE lets only `root@pam` with a password manage accounts. Destroying it deactivates the account for good: certificates stay valid, and cannot be renewed with it.",
  noun: "ACME account",
  path: "/cluster/acme/account/{name}",
  file: "the ACME accounts",
  contactsHosts: true,
  identity: ["name"],
  movedFrom: [
    bpg("acme_account", {
      name: "name",
      contact: (old) =>
        old
          .text("contact")
          ?.replaceAll("mailto:", "")
          .split(/[,;\s]+/),
      directory: "directory",
      tos_url: "tos",
      location: "location",
    }),
  ],
  onlyAtCreation: ["directory", "tos_url"],
  plannedAs: "acme_account",
  attributes,
  optionsIn: ({ account, tos, ...more }) => ({
    ...more,
    ...(typeof tos === "string" && { tos_url: tos }),
    contact: ((account as { contact?: readonly string[] } | undefined)?.contact ?? []).map((address) =>
      address.replace(/^mailto:/, ""),
    ),
  }),

  validate({ config: { eab_kid, eab_hmac_key }, report }) {
    const isOne = (eab_kid === null) !== (eab_hmac_key === null);
    if (!isOne) return;
    const missing = eab_kid === null ? "eab_kid" : "eab_hmac_key";
    report.error(
      missing,
      "EAB needs both",
      `\`eab_kid\` and \`eab_hmac_key\` belong together: give \`${missing}\`, too.`,
    );
  },
  plan: requireConsent,
});

/** An authority with terms of service refuses an account that has not agreed to them, and does so in the task. */
async function requireConsent(
  { config, prior, report }: PlanContext<typeof attributes, object, Session>,
  api: Session,
): Promise<void> {
  if (prior !== null || config.tos_url !== null || config.directory === undefined) return;
  const terms = await termsOf(api, config.directory ?? letsEncrypt);
  if (terms === null) return;
  const detail = `The authority has terms of service. Read them, and write \`tos_url = "${terms}"\` to agree.`;
  report.error("tos_url", "Terms of service", detail);
}

/** Null: there are none, or the authority cannot be asked now. */
async function termsOf(api: Session, directory: string): Promise<string | null> {
  try {
    const { termsOfService } = await api.objects("", { path: "/cluster/acme/meta" }).get({ directory });
    return typeof termsOfService === "string" ? termsOfService : null;
  } catch (reason) {
    if (isPveError(reason)) return null;
    throw reason;
  }
}
