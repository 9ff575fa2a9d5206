import { int, string } from "#framework";
import { defineEphemeral, defineResource } from "../define.ts";

/** A write-only value that reaches the store, never the state; sent again when its version is raised. */
export const secret = defineResource({
  type: "corner_secret",
  doc: "Something with a password.",
  identity: ["id"],
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the store." },
    password: {
      type: string(),
      mode: "optional",
      sensitive: true,
      writeOnly: { trigger: "password_version" },
      doc: "Never stored by Terraform.",
    },
    password_version: { type: int(), mode: "optional", local: true, doc: "Raise it to send the password again." },
    hint: { type: string(), mode: "optional", sensitive: true, doc: "Stored, but never shown." },
  },
  create: ({ api, desired }) => ({ id: api.add("secret", { hint: desired.hint, password: desired.password }) }),
  read({ api, id }) {
    const found = api.find<{ id: string; hint: string | null }>("secret", id.id);
    return found && { id: found.id, hint: found.hint };
  },
  update({ api, id, desired }) {
    const { hint, password } = desired;
    api.change("secret", id.id, password === undefined ? { hint } : { hint, password });
    api.note(password === undefined ? "password kept" : "password sent");
  },
  delete: ({ api, id }) => api.remove("secret", id.id),
});

/** Opened when needed, closed at the end of every run, and never stored. */
export const token = defineEphemeral({
  type: "corner_token",
  doc: "A token for the time of a run.",
  attributes: {
    user: { type: string(), mode: "required", doc: "Whose it is." },
    token: { type: string(), mode: "computed", sensitive: true, doc: "The token." },
  },
  privateState: { user: "", renewals: 0 },
  open({ api, config, privateState }) {
    privateState.user = config.user;
    api.note(`token opened for ${config.user}`);
    return { result: { token: `token-of-${config.user}` }, renewAt: new Date(Date.now() + 1_000) };
  },
  renew({ api, privateState }) {
    privateState.renewals += 1;
    api.note(`token renewed for ${privateState.user}`);
    return { renewAt: new Date(Date.now() + 1_000) };
  },
  close: ({ api, privateState }) => api.note(`token closed for ${privateState.user}`),
});
