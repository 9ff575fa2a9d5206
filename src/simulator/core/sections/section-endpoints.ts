import { type Call, type Endpoint, endpoint } from "../kernel/endpoint.ts";
import { die } from "../kernel/failure.ts";
import { configIdListFormat } from "../schema/formats.ts";
import { type Properties, string } from "../schema/schema.ts";
import { digest } from "../schema/standard-options.ts";
import { bare } from "../world/bare.ts";
import type { ConfigSection, SectionOptions } from "../world/section.ts";
import { assertDigest, changedOptions, checkDeletions, checkNewSection, checkSectionUpdate } from "./section-config.ts";
import {
  digestOf,
  plainSections,
  type SectionAction,
  type SectionChange,
  type SectionFile,
  type SectionRead,
} from "./section-file.ts";
import { rereadSections } from "./section-text.ts";

/** List, read, create, update and delete of the sections of a file. */
export function sectionEndpoints(file: SectionFile): Endpoint[] {
  return [...readEndpoints(file), createEndpoint(file), updateEndpoint(file), deleteEndpoint(file)];
}

const sectionPath = ({ path, key }: SectionFile) => `${path}/{${key}}`;

function idOf(file: SectionFile, call: Call, action: SectionRead | SectionAction): string {
  return file.idOf?.(call, action) ?? String(call.params[file.key]);
}

/** The parameters of a request that are options of a section: texts, and lists as one line each. */
function givenOptions(file: SectionFile, call: Call, options: Properties): SectionOptions {
  const values = Object.keys(options).map((name) => [
    name,
    Array.isArray(call.params[name]) ? (call.params[name] as unknown[]).map(String) : call.given[name],
  ]);
  const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  return file.normalize?.(given) ?? given;
}

/** The options of a request after `check_config`. */
function checkOptions(
  file: SectionFile,
  call: Call,
  type: string,
  given: SectionOptions,
  action: "create" | "update",
): SectionOptions {
  if (file.checkOptions === undefined) {
    (action === "create" ? checkNewSection : checkSectionUpdate)(file.rulesOf(type), given);
  } else {
    file.checkOptions(call, type, given, action);
  }
  return file.decode?.(given) ?? given;
}

async function write(file: SectionFile, change: SectionChange): Promise<unknown> {
  const { call, id, section } = change;
  const verified = await file.verify?.(change);
  if (file.store === undefined) {
    file.sections(call.world)[id] = section;
  } else {
    file.store(change);
  }
  if (file.rawTexts) {
    rereadSections(file.sections(call.world));
  }
  return file.answer?.(change, verified) ?? null;
}

function readEndpoints(file: SectionFile): Endpoint[] {
  const { path, key, permissions, parameters, protectedReads = [] } = file;
  const view = (call: Call, action: SectionRead) =>
    bare({ ...(file.view?.(call, action) ?? plainSections(file, call.world)) });
  return [
    endpoint({
      method: "GET",
      path,
      protected: protectedReads.includes("list"),
      permissions: permissions.list,
      parameters: { ...parameters?.path, ...parameters?.list },
      handler: (call) => {
        const { type } = call.params as { type?: string };
        file.guard?.(call, "list");
        return Object.entries(view(call, "list"))
          .filter(([id, entry]) => file.isListed?.(call, id, entry) ?? true)
          .filter(([, entry]) => type === undefined || entry["type"] === type)
          .map(([, entry]) => entry);
      },
    }),
    endpoint({
      method: "GET",
      path: sectionPath(file),
      protected: protectedReads.includes("read"),
      permissions: permissions.read,
      parameters: { ...parameters?.path, [key]: file.id, ...parameters?.read },
      handler: (call) => {
        file.guard?.(call, "read");
        const id = idOf(file, call, "read");
        const entry = view(call, "read")[id] ?? die(file.texts.missing(id, "read"));
        file.checkRead?.(call, entry);
        return entry;
      },
    }),
  ];
}

function createEndpoint(file: SectionFile): Endpoint {
  const { key, permissions, parameters, type: typeParameter } = file;
  return endpoint({
    method: "POST",
    path: file.createsByPath === true ? sectionPath(file) : file.path,
    protected: true,
    permissions: permissions.create,
    ...(file.knowsByType && { withoutType: [key, "type"] }),
    parameters: {
      ...parameters?.path,
      [key]: file.id,
      ...(typeof typeParameter === "string" ? {} : { type: typeParameter }),
      ...file.options,
      ...parameters?.write,
      ...parameters?.create,
    },
    handler: (call) => {
      let given = givenOptions(file, call, file.options);
      file.guard?.(call, "create");
      const id = idOf(file, call, "create");
      const type =
        file.typeOf?.(call) ?? (typeof typeParameter === "string" ? typeParameter : String(call.params["type"]));
      const check = (moment: "in front" | SectionFile["checks"]) => {
        if ((file.checks ?? "in front") === moment) {
          given = checkOptions(file, call, type, given, "create");
        }
      };
      check("in front");
      return file.change(call, "create", () => {
        check("under lock");
        const exists = file.exists?.(call.world, id) ?? file.sections(call.world)[id] !== undefined;
        if (exists) {
          die(file.texts.exists(id));
        }
        check("when free");
        const section = { type, options: changedOptions({}, given) };
        return write(file, { call, id, section, before: undefined, given });
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
    ...(file.knowsByType && { withoutType: [key, "type", "delete", "digest"] }),
    parameters: {
      ...parameters?.path,
      [key]: file.id,
      ...changes,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      ...(file.withoutDigest ? {} : { digest }),
      ...parameters?.write,
      ...parameters?.update,
    },
    handler: (call) => {
      const params = call.params as { delete?: string; digest?: string };
      const given = givenOptions(file, call, changes);
      file.guard?.(call, "update");
      const id = idOf(file, call, "update");
      return file.change(call, "update", () => {
        const find = (): ConfigSection => file.sections(call.world)[id] ?? die(file.texts.missing(id, "update"));
        if (file.findsBeforeDigest === true) {
          find();
        }
        assertDigest(digestOf(file, call.world), params.digest);
        const before = find();
        const set = checkOptions(file, call, before.type, given, "update");
        const deleted = (file.deletions ?? checkDeletions)(file.rulesOf(before.type), params.delete, set);
        const section = { ...before, options: changedOptions(before.options, set, deleted) };
        return write(file, { call, id, section, before, given: set });
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
    parameters: { ...parameters?.path, [key]: file.id, ...parameters?.write, ...parameters?.delete },
    handler: (call) => {
      file.guard?.(call, "delete");
      const id = idOf(file, call, "delete");
      return file.change(call, "delete", () => {
        const sections = file.sections(call.world);
        if (sections[id] === undefined && file.deletesMissing === undefined) {
          die(file.texts.missing(id, "delete"));
        }
        file.verifyDelete?.(call, id, sections[id]);
        if (file.remove === undefined) {
          delete sections[id];
        } else {
          file.remove(call, id);
        }
        return null;
      });
    },
  });
}
