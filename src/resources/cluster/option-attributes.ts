import { bool, cidr, emailAddress, group, inherits, int, location, matches, number, oneOf, remark, string } from "#kit";
import { keyboards, languages } from "./datacenter-words.ts";
import { tagOptions } from "./tag-options.ts";

const word = string({ check: matches(/^[^,\s]+$/, "a text without blanks and commas") });
const phrase = string({ check: matches(/^[^,\n]*[^,\s]$/, "one line without commas") });

const limit = (key: string, what: string) =>
  inherits(int({ min: 0 }), `bwlimit/${key}`, `KiB/s for ${what}. 0: no limit.`);

const transport = (option: "migration" | "replication", doc: string) =>
  group(
    {
      type: {
        type: oneOf(["secure", "insecure"]),
        mode: "required",
        wire: `${option}/type`,
        isDefaultKey: true,
        doc: "Whether the data goes through an encrypted tunnel (`secure`) or not.",
      },
      network: inherits(
        string({ check: cidr }),
        `${option}/network`,
        "Network of the nodes that is used, in CIDR form.",
      ),
    },
    doc,
  );

const notice = (what: string, words: readonly ["always", "never"] | readonly ["auto", "always", "never"]) => {
  const name = what.replaceAll(" ", "-");
  return {
    [name.replaceAll("-", "_")]: inherits(oneOf(words), `notify/${name}`, `When ${what} are announced.`),
    [`target_${name.replaceAll("-", "_")}`]: inherits(word, `notify/target-${name}`, `Target for ${what}.`),
  };
};

/** What the HA scheduler goes by. */
const scheduling = group(
  {
    ha: inherits(
      oneOf(["basic", "static", "dynamic"]),
      "crs/ha",
      "What guests are placed by: their number (`basic`, the default), their configured size (`static`) or their use (`dynamic`).",
    ),
    ha_rebalance_on_start: inherits(
      bool(),
      "crs/ha-rebalance-on-start",
      "Whether a node is chosen anew when a guest is started. Default: it is not.",
    ),
    ha_auto_rebalance: inherits(
      bool(),
      "crs/ha-auto-rebalance",
      "Whether guests are moved when the load of the nodes differs. Default: they are not.",
    ),
    ha_auto_rebalance_threshold: inherits(
      number({ min: 0, max: 100 }),
      "crs/ha-auto-rebalance-threshold",
      "Imbalance in percent from which guests are moved. Requires `ha_auto_rebalance`. Default: 30.",
    ),
    ha_auto_rebalance_margin: inherits(
      number({ min: 0, max: 100 }),
      "crs/ha-auto-rebalance-margin",
      "Improvement in percent that a move must bring. Requires `ha_auto_rebalance`. Default: 10.",
    ),
    ha_auto_rebalance_method: inherits(
      oneOf(["bruteforce", "topsis"]),
      "crs/ha-auto-rebalance-method",
      "How moves are selected. Requires `ha_auto_rebalance`. Default: `bruteforce`.",
    ),
    ha_auto_rebalance_hold_duration: inherits(
      number({ min: 0 }),
      "crs/ha-auto-rebalance-hold-duration",
      "Rounds of the HA manager for which the imbalance must last. Requires `ha_auto_rebalance`. Default: 3.",
    ),
  },
  "How the cluster places guests under high availability.",
);

export const optionAttributes = {
  id: { type: string(), mode: "computed", keep: true, doc: "Always `cluster`: there is one of it." },
  description: inherits(remark, "description", "Notes on the cluster, in Markdown, up to 65536 characters.", {
    as: { parse: (raw) => String(raw).replace(/\n+$/, ""), print: (text) => text },
  }),
  consent_text: inherits(
    string({ check: matches(/^[^\n]{0,65536}$/, "one line: Proxmox VE keeps no more") }),
    "consent-text",
    "Text that is shown before the login, in one line.",
  ),
  console: inherits(
    oneOf(["html5", "vv", "xtermjs"]),
    "console",
    "Console that the web interface opens: `html5`, `vv` (SPICE) or `xtermjs`.",
  ),
  language: inherits(oneOf(languages), "language", "Language of the web interface, unless the browser has chosen one."),
  keyboard: inherits(oneOf(keyboards), "keyboard", "Keyboard layout of consoles."),
  email_from: inherits(
    string({ check: emailAddress }),
    "email_from",
    "Sender of e-mails. Default: `root@` and the name of the node.",
  ),
  http_proxy: inherits(
    string({ check: matches(/^http:\/\/\S+$/, "an address that begins with `http://`") }),
    "http_proxy",
    "Proxy for downloads of the nodes, such as `http://proxy.example.com:3128`.",
  ),
  mac_prefix: {
    type: string({
      check: matches(
        /^[0-9A-Fa-f][02468ACEace](:[0-9A-Fa-f]{2}){0,2}(:[0-9A-Fa-f]?)?$/,
        "the beginning of a unicast MAC address, such as `BC:24:11`",
      ),
    }),
    mode: "optional_computed",
    keep: true,
    wire: "mac_prefix",
    doc: "What the MAC addresses of new interfaces begin with. Default: `BC:24:11`.",
  },
  max_workers: inherits(
    int({ min: 1 }),
    "max_workers",
    "Guests that are started, stopped or migrated at a time when a node does this to all of its guests.",
  ),
  fencing: inherits(
    oneOf(["watchdog", "hardware", "both"]),
    "fencing",
    "How a node of the HA manager is fenced. Default: `watchdog`; the others are experimental in Proxmox VE.",
  ),
  ha: group(
    {
      shutdown_policy: {
        type: oneOf(["freeze", "failover", "conditional", "migrate"]),
        mode: "required",
        wire: "ha/shutdown_policy",
        doc: "What happens to guests when their node is shut down: `migrate`, `failover`, `freeze`, or `conditional`, which freezes for a reboot and fails over for a shutdown.",
      },
    },
    "High availability.",
  ),
  crs: scheduling,
  migration: transport("migration", "How guests are migrated."),
  replication: transport("replication", "How volumes are replicated."),
  bandwidth_limits: group(
    {
      default: limit("default", "everything that has no limit of its own"),
      clone: limit("clone", "clones"),
      migration: limit("migration", "migrations"),
      move: limit("move", "moves of disks"),
      restore: limit("restore", "restores"),
    },
    "Limits for input and output, unless a storage or a call has its own.",
  ),
  next_id: group(
    {
      lower: inherits(
        int({ min: 100, max: 999_999_999 }),
        "next-id/lower",
        "First VMID that is proposed. Default: 100.",
      ),
      upper: inherits(
        int({ min: 101, max: 1_000_000_000 }),
        "next-id/upper",
        "VMIDs below this one are proposed. Default: 1000000.",
      ),
    },
    "VMIDs that Proxmox VE proposes for new guests. VMs without a `vmid` get one of them.",
  ),
  location: location("The place of the cluster, for maps."),
  ...tagOptions,
  webauthn: group(
    {
      id: inherits(word, "webauthn/id", "Domain of the relying party."),
      origin: inherits(word, "webauthn/origin", "Address of the web interface, such as `https://pve.example.com`."),
      rp: inherits(phrase, "webauthn/rp", "Name of the relying party."),
      allow_subdomains: inherits(
        bool(),
        "webauthn/allow-subdomains",
        "Whether subdomains are accepted as origin. Default: they are.",
      ),
    },
    "WebAuthn as a second factor. Another `id` makes the registered devices useless.",
  ),
  u2f: group(
    {
      appid: inherits(word, "u2f/appid", "App ID, such as `https://pve.example.com`."),
      origin: inherits(word, "u2f/origin", "Origin, if there is only one."),
    },
    "U2F as a second factor; Proxmox VE replaced it by WebAuthn.",
  ),
  notify: group(
    {
      ...notice("package updates", ["auto", "always", "never"]),
      ...notice("fencing", ["always", "never"]),
      ...notice("replication", ["always", "never"]),
    },
    "Notifications as of Proxmox VE 8.0. `proxmox_notification_matcher` replaces them.",
  ),
} as const;
