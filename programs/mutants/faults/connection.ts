import { type Fault, unit } from "../fault.ts";

const transport = "src/pve/transport";

/** Credentials go to no other server than the configured one. */
export const certificates: readonly Fault[] = [
  {
    name: "another host is asked after a refused certificate",
    file: `${transport}/fail-over.ts`,
    find: " && !isCertificateFailure(reason)",
    put: "",
    suite: unit("pve/transport/fail-over"),
  },
  {
    name: "a server with another certificate is asked again",
    file: `${transport}/retry-unanswered.ts`,
    find: "!isCertificateFailure(error) && ",
    put: "",
    suite: unit("pve/transport/retry-unanswered"),
  },
  {
    name: "an endpoint of another cluster is used",
    file: `${transport}/fail-over.ts`,
    find: "if (cluster === undefined || cluster === this.#cluster) return;",
    put: "if (cluster !== null) return;",
    suite: unit("pve/transport/persistence", "another cluster"),
  },
  {
    name: "a pinned fingerprint is not compared",
    file: `${transport}/tls.ts`,
    find: ".toLowerCase() === expected) {",
    put: '.toLowerCase() !== "") {',
    suite: unit("pve/transport/endpoint", "certificate"),
  },
  {
    name: "`insecure` takes precedence over a pinned fingerprint",
    file: `${transport}/tls.ts`,
    find: "if (fingerprint !== undefined) {",
    put: "if (fingerprint !== undefined && !isInsecure) {",
    suite: unit("pve/transport/endpoint", "certificate"),
  },
  {
    name: "a certificate of an unknown authority is accepted by default",
    file: `${transport}/tls.ts`,
    find: "rejectUnauthorized: true, ...(ca && { ca })",
    put: "rejectUnauthorized: false, ...(ca && { ca })",
    suite: unit("pve/transport/endpoint", "certificate"),
  },
  {
    name: "the plugin's socket admits a client with any certificate",
    file: "src/plugin/grpc/server.ts",
    find: "if (!shown.raw.equals(expected.raw)) return",
    put: "if (!shown.raw.equals(shown.raw)) return",
    suite: unit("plugin/grpc/trust"),
  },
  {
    name: "the plugin's socket admits a client without a certificate",
    file: "src/plugin/grpc/server.ts",
    find: 'if (!shown) return "it sent no certificate";',
    put: "if (!shown) return undefined;",
    suite: unit("plugin/grpc/trust"),
  },
  {
    name: "other users can connect to the plugin's socket",
    file: "src/plugin/listen.ts",
    find: "process.umask(0o177);",
    put: "process.umask(0o111);",
    suite: unit("plugin/listen"),
  },
];

/** What may have happened is not done twice. */
export const retries: readonly Fault[] = [
  {
    name: "a write that may have happened is sent to another host",
    file: `${transport}/fail-over.ts`,
    find: " || reason.mayHaveHappened) {",
    put: ") {",
    suite: unit("pve/transport/fail-over"),
  },
  {
    name: "a write that may have happened is sent again",
    file: `${transport}/retry-unanswered.ts`,
    find: "(call.isRepeatable || !error.mayHaveHappened)",
    put: "true",
    suite: unit("pve/transport/retry-unanswered"),
  },
  {
    name: "a lost write counts as one that was never sent",
    file: `${transport}/exchange.ts`,
    find: "this.#wasSent = true;",
    put: "",
    suite: unit("pve/transport/endpoint"),
  },
  {
    name: "a response has no limit of length",
    file: `${transport}/exchange.ts`,
    find: "if (this.#received > this.#limits.maxAnswerBytes) {",
    put: "if (this.#received > 1e9) {",
    suite: unit("pve/transport/endpoint", "larger than allowed"),
  },
  {
    name: "a response can replace the prototype of an object",
    file: `${transport}/safe-json.ts`,
    find: 'Reflect.deleteProperty(node, "__proto__");',
    put: "",
    suite: unit("pve/refusals"),
  },
  {
    name: "a response may be nested as deeply as its sender likes",
    file: `${transport}/safe-json.ts`,
    find: "const maxDepth = 64;",
    put: "const maxDepth = 64_000;",
    suite: unit("pve/refusals"),
  },
  {
    name: "a name in a path can lead to another path",
    file: `${transport}/encode.ts`,
    find: ' && value !== "." && value !== "..")',
    put: ")",
    suite: unit("pve/transport/encode"),
  },
  {
    name: "a lock that stays is waited for",
    file: "src/pve/guard/lock-retry.ts",
    find: 'isPveError(reason, "locked") && reason.isTransientLock;',
    put: 'isPveError(reason, "locked");',
    suite: unit("pve/guard/guards"),
  },
  {
    name: "two writes to one guest are sent at the same time",
    file: "src/pve/guard/write-queue.ts",
    find: "createSemaphore(1);",
    put: "createSemaphore(2);",
    suite: unit("pve/guard/guards"),
  },
  {
    name: "the source of a clone that is locked is cloned twice at a time",
    file: "src/pve/guard/clone-limits.ts",
    find: "isSourceLocked ? 1 : perTemplate",
    put: "perTemplate",
    suite: unit("pve/guard/guards"),
  },
];
