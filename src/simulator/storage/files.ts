import { die, paramError } from "../kernel/failure.ts";
import { string } from "../schema/schema.ts";
import type { Storage, Volume } from "../world/storage.ts";
import { contentFormat } from "./formats.ts";
import { readTemplate } from "./template-contents.ts";
import { contentDirectory, fileNamePatterns } from "./volume-name.ts";

/** Content that comes from outside, by upload or download. */
export type FileContent = "iso" | "vztmpl" | "import";

/** Parameters that uploads and downloads share. */
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

/** `normalize_content_filename`: without directories, and with an underscore for whatever is unusual. */
function normalize(filename: string): string {
  return filename
    .replace(/\n$/, "")
    .replace(/^.*[/\\]/s, "")
    .replace(/[^a-zA-Z0-9_.-]/g, "_");
}

export interface FileTarget {
  readonly volid: string;
  readonly filename: string;
  /** Where the host puts it. */
  readonly path: string;
  readonly content: FileContent;
  /** As content lists show it. */
  readonly format: string;
}

/** The name and place a file gets; its extension has to fit the content. */
export function fileTarget(storage: Storage, content: FileContent, wish: string): FileTarget {
  const filename = normalize(wish);
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

/** A file that arrived. */
export interface ArrivedFile {
  readonly size: number;
  /** Enough of its beginning to recognise an image. */
  readonly head: Buffer;
  readonly checksums: Readonly<Record<string, string>>;
}

/** The volume such a file becomes; dies if an image is not of the format its name promises. */
export function fileVolume(target: FileTarget, file: ArrivedFile, place: Pick<Volume, "node" | "ctime">): Volume {
  const { volid, content, format } = target;
  const isImage = content === "import" && format !== "ova";
  const virtualSize = isImage ? imageSize(format, file) : undefined;
  return {
    ...place,
    volid,
    content,
    format,
    size: file.size,
    ...(virtualSize !== undefined && { virtualSize }),
    ...(content === "vztmpl" && describeTemplate(target, file)),
    checksums: { ...file.checksums },
  };
}

function describeTemplate({ filename }: FileTarget, { head, size }: ArrivedFile): Pick<Volume, "system"> {
  const system = head.length === size ? readTemplate(filename, head) : undefined;
  return system === undefined ? {} : { system };
}

/** The size of the disk in an image file, from its header. */
function imageSize(format: string, { head, size }: ArrivedFile): number {
  if (format === "qcow2" && head.length >= 32 && head.readUInt32BE(0) === 0x514649fb) {
    return Number(head.readBigUInt64BE(24));
  }
  const sector = 512;
  if (format === "vmdk" && head.length >= 20 && head.toString("latin1", 0, 4) === "KDMV") {
    return Number(head.readBigUInt64LE(12)) * sector;
  }
  return format === "raw" ? Math.ceil(size / sector) * sector : die("failed to query file information with qemu-img");
}
