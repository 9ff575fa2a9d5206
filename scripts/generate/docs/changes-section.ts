import type { Attribute, Attributes } from "#framework";
import type { ConfigDraft } from "#kit";
import { takesEffectLive as containerTakesEffect } from "../../../src/resources/container/live-changes.ts";
import { takesEffectLive as vmTakesEffect } from "../../../src/resources/vm/live-changes.ts";

/** What of a resource's definition decides how it changes. */
export interface Changeable {
  readonly type: string;
  readonly attributes: Attributes;
  readonly update?: unknown;
  readonly identity?: readonly string[] | { readonly attributes: readonly string[] };
}

interface Named extends Attribute {
  readonly path: string;
}

/** By whether a change of an argument keeps the object, which follows from the definition. */
export function changesSection({ type, attributes, update, identity = [] }: Changeable): string[] {
  const names = "attributes" in identity ? identity.attributes : identity;
  const named = Object.entries(attributes).map(([path, attribute]): Named => {
    // Another identity is another object.
    const { replace = names.includes(path) ? true : undefined, ...rest } = attribute;
    return { ...rest, path, ...(replace && { replace }) };
  });
  const given = named.filter(({ mode }) => mode !== "computed");
  const isReplaced = ({ replace, local }: Attribute) =>
    replace === true || typeof replace === "string" || (update === undefined && local !== true);
  const inside = [...membersOf(given)];
  const all = [...given, ...(update === undefined ? [] : inside)];
  return [
    "## Changes",
    [
      line(
        "Changed in place",
        given.filter((one) => !isReplaced(one) && !depends(one) && !isSource(one) && !one.onlyAtCreation),
      ),
      line(
        "Used at creation only, a changed value leaves the object as it is",
        given.filter((one) => one.onlyAtCreation),
      ),
      line("A changed value replaces the object", all.filter(isReplaced)),
      ...conditions([...named, ...inside]),
    ]
      .filter(Boolean)
      .join("\n"),
    ...restarts(type, attributes),
  ];
}

const depends = ({ replace }: Attribute): boolean => typeof replace === "object";

/** Says what the object is made from, and is not looked at again unless a member is declared to replace it. */
const isSource = (one: Named): boolean => one.local === true && [...membersOf([one])].some(depends);

/** What the definition declares for the plan hook, or for a decision by the two values. */
function conditions(attributes: readonly Named[]): string[] {
  const found = attributes.flatMap((one) =>
    typeof one.replace === "object" ? [[one.replace.when, one] as const] : [],
  );
  return [...Map.groupBy(found, ([when]) => when)].map(([when, of]) =>
    line(
      `Replaces the object ${when}`,
      of.map(([, one]) => one),
    ),
  );
}

/** The arguments inside of these, by path. */
function* membersOf(attributes: readonly Named[]): Generator<Named> {
  for (const { path, type } of attributes) {
    const { shape } = type;
    const inner = "element" in shape ? shape.element.shape : shape;
    if (inner.kind !== "nested") continue;
    const members = Object.entries(inner.attributes)
      .map(([name, member]): Named => ({ ...member, path: `${path}.${name}` }))
      .filter(({ mode }) => mode !== "computed");
    yield* members;
    yield* membersOf(members);
  }
}

const line = (title: string, attributes: readonly Named[]): string => {
  const names = attributes.map(({ path }) => `\`${path}\``).toSorted();
  return names.length === 0 ? "" : `- ${title}: ${names.join(", ")}.`;
};

interface Guest {
  readonly noun: string;
  readonly isLive: typeof vmTakesEffect;
  /** Arguments whose option is read and written by code of their own. */
  readonly derived: readonly (readonly [path: string, option: string])[];
}

const guests: Readonly<Record<string, Guest>> = {
  proxmox_vm: { noun: "VM", isLive: vmTakesEffect, derived: [] },
  proxmox_container: { noun: "container", isLive: containerTakesEffect, derived: [["env", "env"]] },
};

/** For guests: what a running one takes over, with the defaults of Proxmox VE. Devices depend on more than their option. */
function restarts(type: string, attributes: Attributes): string[] {
  const guest = guests[type];
  if (guest === undefined) return [];
  const options = [...wiredIn(attributes, ""), ...guest.derived];
  const [now, later] = [true, false].map((wanted) =>
    options.filter(([, option]) => isLiveByDefault(guest.isLive, option) === wanted),
  );
  const names = (found: readonly (readonly [string, string])[] = []) =>
    found
      .map(([path]) => `\`${path}\``)
      .toSorted()
      .join(", ");
  return [
    "### Restarts",
    [
      `- A running ${guest.noun} takes over at once: ${names(now)}.`,
      `- Waits for a restart, which \`restart_policy = "when_needed"\` does: ${names(later)}.`,
    ].join("\n"),
    "Disks, network cards and other devices: [Restarts and pending changes](../guides/restarts.md). The plan names each change that waits.",
  ];
}

/** A guest with no option set: every setting has the default of Proxmox VE. */
const unset = { has: () => false, raw: () => null, read: () => null } as unknown as ConfigDraft;

const isLiveByDefault = (isLive: typeof vmTakesEffect, option: string): boolean =>
  isLive(option, { running: unset, after: unset });

/** The arguments with an option of their own, by path; those of devices are in slots. */
function* wiredIn(attributes: Attributes, prefix: string): Generator<readonly [path: string, option: string]> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const { mode, type, wire } = attribute as Attribute & { readonly wire?: string };
    if (mode === "computed") continue;
    if (wire !== undefined && !wire.includes("{")) yield [`${prefix}${name}`, wire.split("/")[0] ?? ""];
    else if (type.shape.kind === "nested") yield* wiredIn(type.shape.attributes, `${prefix}${name}.`);
  }
}
