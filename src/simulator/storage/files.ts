import { die, paramError } from "../core/kernel/failure.ts";
import { string } from "../core/schema/schema.ts";
import type { Storage, Volume } from "../core/world/storage.ts";
import { contentFormat } from "./formats.ts";
import { readOva } from "./ovf.ts";
import { isTar, type TarMember } from "./tar.ts";
import { readTemplate } from "./template-contents.ts";
import { contentDirectory, fileNamePatterns } from "./volume-name.ts";

/** Content from outside, by upload or download. */
export type FileContent = "iso" | "vztmpl" | "import";

/** The common parameters of uploads and downloads. */
export const fileParameters = {
  content: string({ format: contentFormat, enum: ["iso", "vztmpl", "import"] }),
  filename: string({ maxLength: 255 }),
  checksum: string({ optional: true, requires: "checksum-algorithm" }),
  "checksum-algorithm": string({
    optional: true,
    enum: ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
    requires: "checksum",
  }),
};

/** `normalize_content_filename`: without directories, and with underscores for unusual characters. */
export function normalizeFileName(filename: string): string {
  return filename
    .replace(/\n$/, "")
    .replace(/^.*[/\\]/s, "")
    .replace(/[^a-zA-Z0-9_.-]/g, "_");
}

export interface FileTarget {
  readonly volid: string;
  readonly filename: string;
  /** The path on the host. */
  readonly path: string;
  readonly content: FileContent;
  /** As content lists show it. */
  readonly format: string;
}

/** The name and path of a file; its extension must match the content. */
export function fileTarget(storage: Storage, content: FileContent, given: string): FileTarget {
  const filename = normalizeFileName(given);
  const target = (format: string): FileTarget => ({
    volid: `${storage.storage}:${content}/${filename}`,
    path: `${contentDirectory(storage, content)}/${filename}`,
    filename,
    content,
    format,
  });
  switch (content) {
    case "iso":
      return fileNamePatterns.iso.test(filename) ? target("iso") : paramError({ filename: "wrong file extension" });
    case "vztmpl": {
      const [, tar, compression] =
        fileNamePatterns.vztmpl.exec(filename) ?? paramError({ filename: "wrong file extension" });
      return target(tar === undefined ? `t${compression}` : "tar");
    }
    case "import": {
      const [, format = ""] =
        fileNamePatterns.importUpload.exec(filename) ?? paramError({ filename: "invalid filename or wrong extension" });
      return target(format);
    }
  }
}

/** The format that content lists show for a file; undefined for volumes that are not files. */
export function listedFormat(content: Volume["content"], volid: string): string | undefined {
  const name = volid.replace(/^.*\//, "");
  switch (content) {
    case "iso":
      return "iso";
    case "vztmpl": {
      const [, tar, compression] = fileNamePatterns.vztmpl.exec(name) ?? [];
      return tar === undefined ? `t${compression}` : "tar";
    }
    case "backup":
      return /\.((?:tgz|tar|vma)(?:\.\w+)?)$/.exec(name)?.[1];
    case "snippets":
      return "snippet";
    default:
      return undefined;
  }
}

/** A received file. */
export interface ReceivedFile {
  readonly size: number;
  /** Its first bytes, enough to recognise an image. */
  readonly head: Buffer;
  readonly checksums: Readonly<Record<string, string>>;
}

/** The volume of such a file; dies if an image or archive does not have the format of its extension. */
export function fileVolume(
  target: FileTarget,
  file: ReceivedFile,
  place: Pick<Volume, "node" | "ctime">,
  /** The path of the file before it gets its name. */
  path: string,
): Volume {
  const { volid, content, format } = target;
  const isImage = content === "import" && format !== "ova";
  if (format === "ova" && !isTar(file.head)) {
    die(`command 'tar -t -f ${path}' failed: exit code 2`);
  }
  const virtualSize = isImage ? imageSize(format, file, path) : undefined;
  return {
    ...place,
    volid,
    content,
    format,
    size: file.size,
    ...(virtualSize !== undefined && { virtualSize }),
    ...(content === "vztmpl" && describeTemplate(target, file)),
    ...(format === "ova" && { ova: readOva(file.head, memberSize) }),
    checksums: { ...file.checksums },
  };
}

function describeTemplate({ filename }: FileTarget, { head, size }: ReceivedFile): Pick<Volume, "system"> {
  const system = head.length === size ? readTemplate(filename, head) : undefined;
  return system === undefined ? {} : { system };
}

/** The size of the disk in a file of an archive, if its header is known. */
function memberSize({ name, body, size }: TarMember): number | undefined {
  const format = /\.(qcow2|raw|vmdk)$/.exec(name)?.[1];
  try {
    return format === undefined || body.length < 32
      ? undefined
      : imageSize(format, { head: body, size, checksums: {} }, name);
  } catch {
    return undefined;
  }
}

const sector = 512;

/**
 * The size of the disk in an image file, from its header; dies with the texts of qemu-img (the program name in them is
 * as recorded).
 */
function imageSize(format: string, { head, size }: ReceivedFile, path: string): number {
  const refuse = (reason: string) => die(`qemu-img.real: Could not open '${path}': ${reason}`);
  const header = Buffer.concat([head.subarray(0, 32), Buffer.alloc(Math.max(0, 32 - head.length))]);
  if (format === "qcow2") {
    if (header.readUInt32BE(0) !== 0x514649fb) {
      return refuse("Image is not in qcow2 format");
    }
    const version = header.readUInt32BE(4);
    return version === 2 || version === 3
      ? Number(header.readBigUInt64BE(24))
      : refuse(`Unsupported qcow2 version ${version}`);
  }
  if (format === "vmdk") {
    return header.toString("latin1", 0, 4) === "KDMV"
      ? Number(header.readBigUInt64LE(12)) * sector
      : refuse("Image not in VMDK format");
  }
  return Math.ceil(size / sector) * sector;
}
