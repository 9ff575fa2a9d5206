import { type Call, type Endpoint, endpoint } from "../kernel/endpoint.ts";
import { die } from "../kernel/failure.ts";
import type { Permissions } from "../kernel/permission.ts";
import { configIdListFormat } from "../schema/formats.ts";
import { type Properties, type StringSchema, string } from "../schema/schema.ts";
import { digest } from "../schema/standard-options.ts";
import type { ConfigSection, SectionOptions } from "../world/section.ts";
import type { World } from "../world/world.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  type OptionRules,
  sectionsDigest,
  typedOptions,
} from "./section-config.ts";

export type SectionAction = "create" | "update" | "delete";

/** A section about to be written. */
export interface SectionChange {
  readonly call: Call;
  readonly id: string;
  /** As it will be; a check may complete its options. */
  readonly section: ConfigSection;
  /** As it was; undefined for a new one. */
  readonly before: ConfigSection | undefined;
  /** The options of the request. */
  readonly given: SectionOptions;
}

/** A file of sections and how the API serves it: list, read, create, update and delete. */
export interface SectionFile {
  /** Path of the list; a section is one level below it. */
  readonly path: string;
  /** The parameter that names a section. */
  readonly key: string;
  readonly id: StringSchema;
  /** The `type` parameter of a create; a text for a file with one type only. */
  readonly type: StringSchema | string;
  /** Options that a request may contain; `changes` if an update takes others. */
  readonly options: Properties;
  readonly changes?: Properties;
  /** Further parameters: placeholders of the path, those of reads, of a create and of all writes. */
  readonly parameters?: {
    readonly path?: Properties;
    readonly create?: Properties;
    readonly list?: Properties;
    readonly read?: Properties;
    readonly write?: Properties;
  };
  /** The create is a POST to the section's own path. */
  readonly createsByPath?: true;
  readonly permissions: Readonly<Record<"list" | "read" | SectionAction, Permissions>>;
  sections(world: World): Record<string, ConfigSection>;
  rulesOf(type: string): OptionRules;
  /** The sections as a reader sees them, by id; typed options, type and digest by default. */
  view?(call: Call): Record<string, Record<string, unknown>>;
  isListed?(call: Call, id: string, entry: Record<string, unknown>): boolean;
  /** Checks of a read that need the section. */
  checkRead?(call: Call, entry: Record<string, unknown>): void;
  /** The id of a section that is to be created; the parameter `key` by default. */
  newId?(call: Call): string;
  /** Checks in front of the lock, such as privileges that depend on the section. */
  guard?(call: Call, action: "list" | "read" | SectionAction): void;
  /** Runs the change under the file's lock, with PVE's prefix in front of a failure. */
  change<T>(call: Call, action: SectionAction, body: () => T | Promise<T>): Promise<T>;
  /** `check_config` of a create runs under the lock instead of in front of it. */
  readonly checksUnderLock?: true;
  /** Texts of a name that is taken and of one that does not exist. */
  readonly texts: { taken(id: string): string; missing(id: string): string };
  /** `on_update_hook`: what else has to hold for a new or changed section. */
  verify?(change: SectionChange): void | Promise<void>;
  /** `on_delete_hook`. */
  verifyDelete?(call: Call, id: string, section: ConfigSection | undefined): void;
  /** An update looks for the section before it compares the digest. */
  readonly findsBeforeDigest?: true;
  /** Deleting a section that does not exist succeeds. */
  readonly deletesMissing?: true;
  /** The answer of a create or update; null by default. */
  answer?(id: string, section: ConfigSection): unknown;
}

/** The parameters of a request that are options of a section: texts, and lists as one line each. */
export function sectionOptions(call: Call, options: Properties): SectionOptions {
  const values = Object.keys(options).map((name) => [
    name,
    Array.isArray(call.params[name]) ? (call.params[name] as unknown[]).map(String) : call.given[name],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The sections as the file holds them, with the digest of the file. */
export function plainSections(file: SectionFile, world: World): Record<string, Record<string, unknown>> {
  const sections = file.sections(world);
  const hash = sectionsDigest(sections, file.rulesOf);
  return Object.fromEntries(
    Object.keys(sections)
      .sort()
      .map((id) => {
        const { type, options } = sections[id] as ConfigSection;
        return [id, { ...typedOptions(options, file.options), type, digest: hash }];
      }),
  );
}

export function sectionEndpoints(file: SectionFile): Endpoint[] {
  return [...readEndpoints(file), createEndpoint(file), updateEndpoint(file), deleteEndpoint(file)];
}

const sectionPath = ({ path, key }: SectionFile) => `${path}/{${key}}`;
const idOf = ({ key }: SectionFile, call: Call) => String(call.params[key]);

function readEndpoints(file: SectionFile): Endpoint[] {
  const { path, key, permissions, parameters } = file;
  const view = (call: Call) => file.view?.(call) ?? plainSections(file, call.world);
  return [
    endpoint({
      method: "GET",
      path,
      permissions: permissions.list,
      parameters: { ...parameters?.path, ...parameters?.list },
      handler: (call) => {
        const { type } = call.params as { type?: string };
        file.guard?.(call, "list");
        return Object.entries(view(call))
          .filter(([id, entry]) => file.isListed?.(call, id, entry) ?? true)
          .filter(([, entry]) => type === undefined || entry["type"] === type)
          .map(([id, entry]) => ({ [key]: id, ...entry }));
      },
    }),
    endpoint({
      method: "GET",
      path: sectionPath(file),
      permissions: permissions.read,
      parameters: { ...parameters?.path, [key]: file.id, ...parameters?.read },
      handler: (call) => {
        const id = idOf(file, call);
        file.guard?.(call, "read");
        const entry = view(call)[id] ?? die(file.texts.missing(id));
        file.checkRead?.(call, entry);
        return { [key]: id, ...entry };
      },
    }),
  ];
}

function createEndpoint(file: SectionFile): Endpoint {
  const { key, permissions, parameters } = file;
  const type = typeof file.type === "string" ? {} : { type: file.type };
  return endpoint({
    method: "POST",
    path: file.createsByPath === true ? sectionPath(file) : file.path,
    protected: true,
    permissions: permissions.create,
    parameters: {
      ...parameters?.path,
      [key]: file.id,
      ...type,
      ...file.options,
      ...parameters?.create,
      ...parameters?.write,
    },
    handler: (call) => {
      const given = sectionOptions(call, file.options);
      const section = { type: typeof file.type === "string" ? file.type : String(call.params["type"]), options: given };
      file.guard?.(call, "create");
      const id = file.newId?.(call) ?? idOf(file, call);
      if (file.checksUnderLock === undefined) {
        checkNewSection(file.rulesOf(section.type), given);
      }
      return file.change(call, "create", async () => {
        if (file.checksUnderLock === true) {
          checkNewSection(file.rulesOf(section.type), given);
        }
        const sections = file.sections(call.world);
        if (sections[id] !== undefined) {
          die(file.texts.taken(id));
        }
        section.options = changedOptions({}, given);
        await file.verify?.({ call, id, section, before: undefined, given });
        sections[id] = section;
        return file.answer?.(id, section) ?? null;
      });
    },
  });
}

function updateEndpoint(file: SectionFile): Endpoint {
  const { key, permissions, parameters, changes = file.options } = file;
  return endpoint({
    method: "PUT",
    path: sectionPath(file),
    protected: true,
    permissions: permissions.update,
    parameters: {
      ...parameters?.path,
      [key]: file.id,
      ...changes,
      ...parameters?.write,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: (call) => {
      const id = idOf(file, call);
      const params = call.params as { delete?: string; digest?: string };
      const given = sectionOptions(call, changes);
      file.guard?.(call, "update");
      return file.change(call, "update", async () => {
        const sections = file.sections(call.world);
        const find = () => sections[id] ?? die(file.texts.missing(id));
        if (file.findsBeforeDigest === true) {
          find();
        }
        assertDigest(sectionsDigest(sections, file.rulesOf), params.digest);
        const before = find();
        const rules = file.rulesOf(before.type);
        checkSectionUpdate(rules, given);
        const deleted = checkDeletions(rules, params.delete, given);
        const section = { type: before.type, options: changedOptions(before.options, given, deleted) };
        await file.verify?.({ call, id, section, before, given });
        sections[id] = section;
        return file.answer?.(id, section) ?? null;
      });
    },
  });
}

function deleteEndpoint(file: SectionFile): Endpoint {
  const { key, permissions, parameters } = file;
  return endpoint({
    method: "DELETE",
    path: sectionPath(file),
    protected: true,
    permissions: permissions.delete,
    parameters: { ...parameters?.path, [key]: file.id, ...parameters?.write },
    handler: (call) => {
      const id = idOf(file, call);
      file.guard?.(call, "delete");
      return file.change(call, "delete", () => {
        const sections = file.sections(call.world);
        if (sections[id] === undefined && file.deletesMissing === undefined) {
          die(file.texts.missing(id));
        }
        file.verifyDelete?.(call, id, sections[id]);
        delete sections[id];
        return null;
      });
    },
  });
}
