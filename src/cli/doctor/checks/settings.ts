import { normaliseFingerprint, parseEndpoint, readPem, resolveSettings } from "#pve";
import { type Check, failed, notice, ok } from "../check.ts";

const howToBegin = [
  "Say where the cluster is, and who you are:",
  "  export PROXMOX_VE_ENDPOINT=https://pve1.example.com:8006",
  "  export PROXMOX_VE_API_TOKEN='terraform@pve!tf=…'",
  "No host at hand? `terraform-provider-proxmox simulate` starts a cluster and prints these variables for it.",
];

/** The variables themselves, before anybody is asked. */
export const settings: Check = {
  id: "settings",
  needs: [],
  async look(visit) {
    const { endpoints = [], caCertificate, tlsFingerprint } = visit.settings();
    if (endpoints.length === 0) return failed("no endpoint is given", ...howToBegin);
    const urls = endpoints.map(parseEndpoint);
    if (caCertificate !== undefined) readPem(caCertificate);
    if (tlsFingerprint !== undefined) normaliseFingerprint(tlsFingerprint);
    const said = urls.map(({ origin }) => origin).join(", ");
    const notes = visit.notes();
    return notes.length === 0 ? ok(said) : notice(said, ...notes);
  },
};

/** Who we say we are: only its form, since the server is asked later. */
export const credentials: Check = {
  id: "credentials",
  needs: ["settings"],
  async look(visit) {
    const { credentials: who } = resolveSettings(visit.settings());
    const { identity } = visit.client();
    const kinds = { token: "API token", password: "user and password of", ticket: "ticket of" };
    return ok(`${kinds[who.kind]} ${identity}`);
  },
};
