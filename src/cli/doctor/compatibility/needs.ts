import type { Attributes, Type } from "#framework";
import type { WiredAttribute } from "#kit";
import { registry } from "../../../registry.ts";
import { type Api, callKey } from "./api-method.ts";
import { callsOf } from "./calls-by-type.ts";

/** A parameter of a call, or a key of it. */
export interface Place {
  readonly call: string;
  readonly parameter: string;
  readonly key: string | undefined;
}

export interface AttributeNeeds {
  /** `networks.*.bridge` */
  readonly path: string;
  readonly isRequired: boolean;
  /** Where it is sent: one of these is enough. */
  readonly places: readonly Place[];
}

/** What a resource type needs of a host. */
export interface TypeNeeds {
  readonly type: string;
  readonly calls: readonly string[];
  readonly attributes: readonly AttributeNeeds[];
}

/** Attributes that code turns into a parameter. */
const withoutWire: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  proxmox_container: { env: "env" },
};

type ResourceType = keyof typeof registry.resources;

/** The calls of a type, and the parameters that its attributes become, as far as the known API has them. */
export async function needsOf(type: string, known: Api): Promise<TypeNeeds> {
  const calls = await callsOf(type);
  const writes = calls.filter((call) => /^(?:POST|PUT) /.test(call));
  const { attributes } = await registry.resources[type as ResourceType]();
  const placesOf = ({ options, key }: Wire): Place[] =>
    writes.flatMap((call) =>
      options.map((parameter) => ({ call, parameter, key })).filter((place) => isIn(known, place)),
    );
  const own = Object.entries(withoutWire[type] ?? {}).map(([name, option]) => ({
    ...{ path: [name], isRequired: false },
    wire: { options: [option], key: undefined },
  }));
  const wired = [...wiresIn(attributes as Attributes), ...own].map(({ path, isRequired, wire }) => ({
    ...{ path: path.join("."), isRequired },
    places: placesOf(wire),
  }));
  return { type, calls, attributes: wired.filter(({ places }) => places.length > 0) };
}

/** Whether a host has a parameter, or the key of it. */
export function isIn(api: Api, { call, parameter, key }: Place): boolean {
  const found = api.get(callKey(call))?.parameters.get(parameter);
  return found !== undefined && (key === undefined || found.keys.size === 0 || found.keys.has(key));
}

interface Wire {
  readonly options: readonly string[];
  readonly key: string | undefined;
}

interface Around {
  readonly path: readonly string[];
  readonly isRequired: boolean;
  readonly families: readonly string[];
}

interface WiredPath extends Omit<Around, "families"> {
  readonly wire: Wire;
}

/** Every attribute that can be written and has a `wire`. */
function wiresIn(attributes: Attributes, around: Around = { path: [], isRequired: true, families: [] }): WiredPath[] {
  return (Object.entries(attributes) as [string, WiredAttribute][]).flatMap(([name, attribute]) => {
    const { mode, type, slots, wire } = attribute;
    if (mode === "computed") return [];
    const isRequired = around.isRequired && mode === "required";
    const path = [...around.path, name];
    const element = slots && elementOf(type);
    const inner = membersOf(element ?? type);
    const families = Object.entries(slots?.families ?? {}).map(([family, highest]) => familyName(family, highest));
    if (inner && element) return wiresIn(inner, { path: [...path, "*"], isRequired: false, families });
    if (inner) return wiresIn(inner, { ...around, path, isRequired });
    return wire === undefined ? [] : [{ path, isRequired, wire: readWire(wire, around.families) }];
  });
}

function readWire(wire: string, families: readonly string[]): Wire {
  const [option = "", key] = wire.split("/");
  if (!option.includes("{slot}")) return { options: [option.replace("{n}", "[n]")], key };
  return { options: families.map((family) => option.replace("{slot}", family)), key };
}

/** As in the description of the API: `scsi[n]`, `tpmstate0`, `rootfs`. */
function familyName(family: string, highest: number | null): string {
  if (highest === null) return family;
  return highest === 0 ? `${family}0` : `${family}[n]`;
}

const membersOf = ({ shape }: Type): Attributes | undefined => (shape.kind === "nested" ? shape.attributes : undefined);

const elementOf = ({ shape }: Type): Type | undefined => (shape.kind === "map" ? shape.element : undefined);
