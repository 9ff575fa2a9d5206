import { normaliseFingerprint, parseEndpoint, readPem, resolveSettings } from "#pve";
import { type Check, failed, notice, ok } from "../check.ts";

const firstSteps = [
  "Set the address of the cluster and your credentials:",
  "  export PROXMOX_VE_ENDPOINT=https://pve1.example.com:8006",
  "  export PROXMOX_VE_API_TOKEN='terraform@pve!tf=…'",
  "Without a host, `terraform-provider-proxmox simulate` starts a simulated cluster and prints these variables for it.",
];

/** The variables themselves, before any request. */
export const settings: Check = {
  id: "settings",
  needs: [],
  async look(context) {
    const { endpoints = [], caCertificate, tlsFingerprint } = context.settings();
    if (endpoints.length === 0) return failed("no endpoint is given", ...firstSteps);
    const urls = endpoints.map(parseEndpoint);
    if (caCertificate !== undefined) readPem(caCertificate);
    if (tlsFingerprint !== undefined) normaliseFingerprint(tlsFingerprint);
    const said = urls.map(({ origin }) => origin).join(", ");
    const notes = context.notes();
    return notes.length === 0 ? ok(said) : notice(said, ...notes);
  },
};

/** The form of the credentials; the server checks them later. */
export const credentials: Check = {
  id: "credentials",
  needs: ["settings"],
  async look(context) {
    const { credentials: who } = resolveSettings(context.settings());
    const { identity } = context.client();
    const kinds = { token: "API token", password: "user and password of", ticket: "ticket of" };
    return ok(`${kinds[who.kind]} ${identity}`);
  },
};
