import { quote } from "../../resources/functions/import-text.ts";
import { sourceAddress } from "../../source-address.ts";
import { raw, text } from "./conversions.ts";
import { type Block, blocksOf, type Document } from "./hcl/document.ts";
import type { Edit } from "./hcl/edits.ts";
import { Expr, type Source } from "./hcl/expr.ts";
import { Obj, print, printBody } from "./hcl/output.ts";
import { walk } from "./hcl/syntax.ts";
import { type Module, peerOfSource, requiredBlocks } from "./module.ts";
import type { Notes } from "./notes.ts";
import { type Peer, sources } from "./tables.ts";

export const ourSource = sourceAddress.split("/").slice(-2).join("/");

/** The name under which what stays behind, and the old state, find their provider. */
export const oldName = (peer: Peer, module: Module): string => (module.locals.has(peer) ? `${peer}_old` : peer);

interface Old {
  readonly peer: Peer;
  /** Expressions: the constraint on its version, and its names within a module. */
  readonly version: string | undefined;
  readonly configuration_aliases?: string | undefined;
}

const requirement = (name: string, { peer, ...more }: Old): string => {
  const given = Object.entries(more).flatMap(([key, value]) => (value === undefined ? [] : [`, ${key} = ${value}`]));
  return `${name} = { source = ${quote(sources[peer])}${given.join("")} }`;
};

interface Needs {
  isRequired(peer: Peer, module: Module): boolean;
  stay(peer: Peer, module: Module): boolean;
}

/** Entries of `required_providers`: ours in the place of theirs, and theirs beside it where it is still needed. */
export function requiredEdits(document: Document, module: Module, needs: Needs): Edit[] {
  const edits: Edit[] = [];
  for (const { body } of requiredBlocks(document)) {
    for (const item of body.items) {
      if (item.kind !== "attribute") continue;
      const members = new Map(new Expr({ document, edits: [] }, item.value).members ?? []);
      const source = members.get("source")?.string;
      const peer = source === undefined ? null : peerOfSource(source);
      if (peer === null) continue;
      const aliases = members.get("configuration_aliases");
      const ours = `{ source = ${quote(ourSource)}${aliases ? `, configuration_aliases = ${aliases.text}` : ""} }`;
      const name = oldName(peer, module);
      const passed = needs.stay(peer, module) ? aliases?.text.replaceAll(`${item.name}.`, `${name}.`) : undefined;
      const old = { peer, version: members.get("version")?.text, configuration_aliases: passed };
      const isRequired = needs.isRequired(peer, module);
      const width = isRequired ? Math.max(name.length, item.name.length) : item.name.length;
      const beside = isRequired ? `\n    ${requirement(name.padEnd(width), old)}` : "";
      const comments = [...walk(item.value)]
        .filter(({ type }) => type === "comment")
        .map((one) => ` ${document.slice(one)}`);
      const text = `${item.name.padEnd(width)} = ${ours}${comments.length === 1 ? comments[0] : ""}${beside}`;
      edits.push({ start: item.node.start, end: item.node.end, text });
    }
  }
  return edits;
}

/** A file for a folder that names no providers. */
export const requirementsFile = (peers: readonly Peer[], module: Module): string =>
  [
    "terraform {",
    "  required_providers {",
    `    proxmox = { source = ${quote(ourSource)} }`,
    ...peers.map(
      (peer) => `    ${requirement(oldName(peer, module).padEnd("proxmox".length), { peer, version: undefined })}`,
    ),
    "  }",
    "}",
    "",
  ].join("\n");

const places: Readonly<Record<Peer, Readonly<Record<string, string>>>> = {
  bpg: Object.fromEntries("endpoint api_token username password insecure otp".split(" ").map((name) => [name, name])),
  telmate: {
    pm_api_url: "endpoint",
    pm_user: "username",
    pm_password: "password",
    pm_tls_insecure: "insecure",
    pm_otp: "otp",
  },
};

const reasons: Readonly<Record<string, string>> = {
  ssh: "the provider never uses SSH",
  tmp_dir: "files are uploaded from where they are",
  min_tls: "TLS 1.2 is the least",
  random_vm_ids: "Proxmox VE gives the next free VMID",
  random_vm_id_start: "`next_id` of `proxmox_cluster_options` sets the range",
  random_vm_id_end: "`next_id` of `proxmox_cluster_options` sets the range",
  auth_ticket: "give `api_token`, or `username` and `password`",
  csrf_prevention_token: "give `api_token`, or `username` and `password`",
  pm_parallel: "`requests`, `clones` and `-parallelism` limit what runs at a time",
  pm_timeout: "see `tasks.timeout` and `requests.timeout`",
  pm_debug: "see the guide on troubleshooting for logs",
  pm_log_enable: "see the guide on troubleshooting for logs",
  pm_log_file: "see the guide on troubleshooting for logs",
  pm_log_levels: "see the guide on troubleshooting for logs",
  pm_minimum_permission_check: "the privileges of a plan are checked in it",
  pm_minimum_permission_list: "the privileges of a plan are checked in it",
  pm_dangerously_ignore_unknown_attributes: "unknown answers are never ignored",
  pm_http_headers: "there is no counterpart",
  pm_proxy_server: "there is no counterpart",
};

/** Edits for the `provider` blocks of a document. */
export function providerEdits(
  document: Document,
  module: Module,
  stays: (peer: Peer) => boolean,
  notes: Notes,
): Edit[] {
  return blocksOf(document.body, "provider").flatMap((block) => {
    const [local = ""] = block.labels;
    const peer = module.peerOfLocal(local);
    if (peer === null) return [];
    const { start, end } = block.node;
    const copy = stays(peer)
      ? `\n\nprovider "${oldName(peer, module)}" ${document.text.slice(startOfBody(document, block), end)}`
      : "";
    return [{ start, end, text: `${providerBlock(document, local, block, peer, notes)}${copy}` }];
  });
}

const startOfBody = (document: Document, { node }: Block): number => {
  const brace = node.children.find(({ type }) => type === "block_start");
  return brace?.start ?? document.text.indexOf("{", node.start);
};

function providerBlock(document: Document, local: string, block: Block, peer: Peer, notes: Notes): string {
  const out = new Obj();
  const source = { document, edits: [] };
  const what = (name: string) => `provider.${local}: ${name}`;
  for (const item of block.body.items) {
    const name = item.kind === "attribute" ? item.name : item.type;
    const place = name === "alias" ? "alias" : places[peer][name];
    if (item.kind === "attribute" && place !== undefined) {
      const value = new Expr(source, item.value);
      out.set(place, name === "pm_api_url" ? withoutPath(value) : value.raw, item);
    } else if (!/^pm_api_token_(id|secret)$/.test(name)) {
      const reason = reasons[name];
      const todo = reason ?? "this setting is not known; see the page of the provider";
      out.tail.push(...item.before, notes.add(reason ? "left" : "hand", item.node.line, what(name), todo));
    }
  }
  const token = tokenOf(source, block);
  if (token !== undefined) out.set("api_token", raw(token));
  if (peer === "telmate") {
    const todo = "variables of the environment are called PROXMOX_VE_ENDPOINT, PROXMOX_VE_API_TOKEN … here, not PM_…";
    out.tail.push(notes.add("left", block.node.line, what("PM_API_URL, PM_API_TOKEN_ID"), todo));
  }
  out.tail.push(...block.body.tail);
  const name = `provider ${print(text(local), "")}`;
  return out.isEmpty ? `${name} {}` : `${name} {\n${printBody(out, "  ")}\n}`;
}

/** `https://pve:8006/api2/json` */
const withoutPath = (value: Expr) =>
  value.string === undefined
    ? raw(`trimsuffix(${value.text}, "/api2/json")`)
    : text(value.string.replace(/\/(api2\/json\/?)?$/, ""));

/** The ID and the secret of a token, in one text. */
function tokenOf(source: Source, { body }: Block): string | undefined {
  const [id, secret] = ["pm_api_token_id", "pm_api_token_secret"].map((name) => {
    const item = body.items.find((one) => one.kind === "attribute" && one.name === name);
    const value = item?.kind === "attribute" ? new Expr(source, item.value) : undefined;
    return value && (value.string === undefined ? `\${${value.text}}` : value.string);
  });
  return id === undefined || secret === undefined ? undefined : `"${id}=${secret}"`;
}
