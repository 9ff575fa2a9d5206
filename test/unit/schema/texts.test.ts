import { expect, test } from "vitest";
import { registry } from "../../../src/registry.ts";

/** What a text can have in it, one thing each. */
const texts = { lines: "two\nlines", returns: "two\rlines", letters: "日本 €", latin: "grün", codes: "a%41b" } as const;
type Content = keyof typeof texts;

const oneLine = ["latin", "letters", "codes"] as const;
const everything = ["lines", "returns", ...oneLine] as const;

/** What the file of each type holds, as Proxmox VE 9.2 was seen to read it back. */
const holds: Readonly<Record<string, readonly Content[]>> = {
  proxmox_backup_job: oneLine,
  proxmox_firewall_alias: oneLine,
  proxmox_firewall_ipset: oneLine,
  proxmox_firewall_policy: oneLine,
  proxmox_firewall_rules: oneLine,
  proxmox_firewall_security_group: oneLine,
  proxmox_group: everything,
  proxmox_ha_resource: ["latin", "codes"],
  // New texts are checked in the plan: test/contract/ha/ha-rule.test.ts.
  proxmox_ha_rule: oneLine,
  proxmox_hardware_mapping: ["latin", "codes"],
  proxmox_network_interface: oneLine,
  proxmox_notification_endpoint: oneLine,
  proxmox_notification_matcher: oneLine,
  proxmox_pool: everything,
  proxmox_realm: oneLine,
  proxmox_realm_sync_job: oneLine,
  proxmox_replication: oneLine,
  proxmox_token: everything,
  proxmox_user: everything,
};

/** Part of a guest, and in the file of HA resources. */
const ofGuests: readonly Content[] = ["latin", "codes"];

type Attribute = {
  readonly type: { readonly checks?: readonly ((value: unknown) => string | undefined)[]; readonly shape: Shape };
};
interface Shape {
  readonly kind: string;
  readonly attributes?: Record<string, Attribute>;
  readonly element?: Attribute["type"];
}

/** Comments and descriptions in an attribute, at any depth. */
function commentsIn(attributes: Record<string, Attribute>, path = ""): [path: string, attribute: Attribute][] {
  return Object.entries(attributes).flatMap(([name, attribute]): [string, Attribute][] => {
    const own: [string, Attribute][] = /^(comment|description)$/.test(name) ? [[`${path}${name}`, attribute]] : [];
    const inside = (type: Attribute["type"]): [string, Attribute][] => [
      ...(type.shape.attributes ? commentsIn(type.shape.attributes, `${path}${name}.`) : []),
      ...(type.shape.element ? inside(type.shape.element) : []),
    ];
    return [...own, ...inside(attribute.type)];
  });
}

const resources = await Promise.all(
  Object.entries(registry.resources).map(async ([type, load]) => ({
    type,
    comments: commentsIn((await load()).attributes as unknown as Record<string, Attribute>),
  })),
);

/** Notes of a guest, a node, a snapshot or the cluster are encoded, on lines of their own. */
const notes = [
  "proxmox_vm",
  "proxmox_container",
  "proxmox_snapshot",
  "proxmox_cluster_options",
  "proxmox_node_config",
  "proxmox_tfa",
];

test("a comment takes what its file holds, and refuses everything else", () => {
  const found: string[] = [];
  for (const { type, comments } of resources) {
    for (const [path, attribute] of comments) {
      const held = path === "ha.comment" ? ofGuests : notes.includes(type) ? undefined : holds[type];
      if (held === undefined && notes.includes(type)) continue;
      const taken = Object.entries(texts).filter(([, text]) =>
        attribute.type.checks?.every((check) => check(text) === undefined),
      );
      const wanted = Object.keys(texts).filter((one) => held?.some((content) => content === one));
      const names = taken.map(([name]) => name);
      if (names.join() !== wanted.join())
        found.push(`${type}.${path} takes ${names.join()}, and its file holds ${wanted.join()}`);
    }
  }
  expect(resources.flatMap(({ comments }) => comments).length).toBeGreaterThan(25);
  expect(found).toEqual([]);
});
