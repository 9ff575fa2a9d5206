import { Failure, found, int, nearNames, notEmpty, nullable, type Report, type Session, string } from "#kit";
import type { GuestBase } from "../base.ts";
import { type FoundGuest, findGuest } from "../lifecycle/find.ts";
import { whyOtherKind } from "../other-kind.ts";

/** The attributes by which a data source finds one guest, and where it is. */
export const lookUpAttributes = ({ noun }: Pick<GuestBase, "noun">) =>
  ({
    vmid: {
      type: int({ min: 100, max: 999_999_999 }),
      mode: "optional_computed",
      doc: "VMID. Either this or `name` must be given.",
    },
    name: {
      type: nullable(notEmpty),
      mode: "optional_computed",
      doc: `Name, letter by letter; it is an error if several ${noun}s have it. Either this or \`vmid\` must be given.`,
    },
    node: found(string(), "Node it is on."),
    pool: found(nullable(string()), "Resource pool it is in, if the caller may see that."),
  }) as const;

interface Key {
  readonly vmid?: number | null | undefined;
  readonly name?: string | null | undefined;
}

/** Exactly one of VMID and name must be given. */
export const validateLookUp =
  ({ noun }: Pick<GuestBase, "noun">) =>
  ({ config, report }: { readonly config: Key; readonly report: Pick<Report, "error"> }): void => {
    const given = [config.vmid, config.name];
    if (given.includes(undefined)) return;
    const isNone = given.every((key) => key === null);
    if (!isNone && given.includes(null)) return;
    report.error(
      isNone ? null : "name",
      isNone ? "VMID or name needed" : "VMID and name given",
      `Say which ${noun} to look up, either by \`vmid\` or by \`name\`.`,
    );
  };

export async function lookUpGuest(kind: GuestBase, api: Session, key: Key, signal: AbortSignal): Promise<FoundGuest> {
  const vmid = key.vmid ?? (await vmidOf(kind, api, key.name ?? ""));
  const guest = await findGuest({ kind, api, signal }, vmid);
  if (guest === null) throw await absent(kind, api, vmid);
  if (guest.config === null) {
    throw new Failure(
      `Node ${guest.node} is offline`,
      `${kind.title} ${vmid} exists, and cannot be read until the node is online.`,
    );
  }
  return guest;
}

async function vmidOf(kind: GuestBase, api: Session, name: string): Promise<number> {
  const namesakes = await api.inventory.findByName(kind.type, name);
  const [only] = namesakes;
  if (only === undefined) throw await unknownName(kind, api, name);
  if (namesakes.length > 1) {
    const places = namesakes.map(({ vmid, node }) => `${vmid} on ${node}`).sort();
    throw new Failure(
      "Ambiguous name",
      `${namesakes.length} ${kind.noun}s are named "${name}": ${places.join(", ")}. Look one up by its \`vmid\`, or all with \`${kind.resource}s\`.`,
      { path: "name" },
    );
  }
  return only.vmid;
}

async function absent(kind: GuestBase, api: Session, vmid: number): Promise<Failure> {
  const what = (await whyOtherKind(kind, api, vmid)) ?? `There is no ${kind.noun} ${vmid}.`;
  return new Failure(`${kind.title} not found`, what, { path: "vmid" });
}

async function unknownName(kind: GuestBase, api: Session, name: string): Promise<Failure> {
  const guests = await api.inventory.list(kind.type);
  const near = nearNames(
    name,
    guests.flatMap((guest) => guest.name ?? []),
  );
  const hint = near.length === 0 ? "" : ` Near it: ${near.map((one) => `"${one}"`).join(", ")}.`;
  return new Failure(
    `${kind.title} not found`,
    `Of the ${guests.length} ${kind.noun}s that can be seen, none is named "${name}".${hint} A ${kind.noun} on which ${api.identity} lacks VM.Audit cannot be seen.`,
    { path: "name" },
  );
}
